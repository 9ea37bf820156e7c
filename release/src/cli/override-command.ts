import { join } from 'node:path';
import type { DeveloperOverride } from '@countersign/contracts/developer-override';
import { overrideParameter } from '@countersign/contracts/override-parameter';
import type { RemoteVersion } from '@countersign/contracts/release-document';
import type { RemoteName } from '@countersign/contracts/remotes';
import { Option } from 'commander';
import { makeOverrideKey, type OverrideKey } from '../override/override-key.ts';
import { readRegularFile } from '../platform/regular-files.ts';
import { ReleaseError, UsageError } from '../platform/release-error.ts';
import { aborted, stopSignal } from '../platform/stop-signal.ts';
import { builtDirectoryOf } from '../publish/build-parts.ts';
import { readBuild } from '../publish/publish-part.ts';
import { describeFiles, describeRemote, readRemote } from '../store/stored-version.ts';
import { assertOwner, readOwners } from '../access/owners.ts';
import { print, printProgress, type Output, type OutputOptions } from './print.ts';
import { numberOption, parseRemote, type CommandContext, type ReleaseCommand } from './release-command.ts';

interface OverrideOptions extends OutputOptions {
  readonly version?: string | undefined;
  readonly minutes: number;
  readonly port: number;
  readonly site?: string | undefined;
  readonly sourceMaps?: boolean;
  readonly newKey?: boolean;
}

const wholeNumber = (flags: string, description: string) =>
  numberOption(
    flags,
    description,
    'a whole number',
    (number) => Number.isInteger(number) && number < 100_000,
  );

export const overrideCommand: ReleaseCommand<OverrideOptions> = {
  usage: 'override [part] [folder]',
  description: 'show one part from this machine, or a stored version, in the live page of one tab',
  options: [
    new Option('--version <version>', 'a stored version, instead of a build on this machine'),
    wholeNumber('--minutes <number>', 'how long the link is valid').default(60),
    wholeNumber('--port <number>', 'port that serves the build').default(4000),
    new Option('--site <address>', 'origin of the site (default: SITE_ORIGIN, else that of the live page)'),
    new Option('--source-maps', 'serve the source maps of the build too'),
    new Option('--new-key', 'print a new OVERRIDE_KEY'),
  ],
  async run({ words: [word, folder], options, open }) {
    if (options.newKey) {
      const key = makeOverrideKey();
      return { json: { key }, lines: key };
    }
    if (word === undefined) throw new UsageError('Missing argument "part". Use: override <part>.');
    const context = open();
    const part = parseRemote(word);
    assertOwner(readOwners(context.config.ownersFile), part, context.config.releaser, 'publish');
    const key = requireOverrideKey(context);
    const site = parseOrigin(
      options.site ?? context.resolveSiteConfig((await context.store.readLive())?.site).siteOrigin,
    );
    if (options.version !== undefined) {
      const version = await readRemote(context.store, part, options.version);
      return outputOf(overrideLink(site, key, part, version, options));
    }
    await serveBuildOverride(part, folder ?? builtDirectoryOf(part), site, key, options);
    return undefined;
  },
};

async function serveBuildOverride(
  part: RemoteName,
  folder: string,
  site: string,
  key: OverrideKey,
  options: OverrideOptions,
): Promise<void> {
  const { manifest, files, hashes } = await readBuild(part, folder);
  const { serveBuild } = await import('../override/serve-build.ts');
  const maps = options.sourceMaps ? await readSourceMaps(folder, [...files.keys()]) : [];
  const served = await serveBuild(new Map([...files, ...maps]), site, options.port);
  try {
    const version = describeRemote(describeFiles(manifest, hashes, `http://localhost:${served.port}/`));
    print(outputOf(overrideLink(site, key, part, version, options)), options);
    printProgress(`serving ${folder} to ${site} — Ctrl-C stops it; build again, and call this again`);
    await aborted(stopSignal());
  } finally {
    served.close();
  }
}

function requireOverrideKey({ config }: CommandContext): OverrideKey {
  if (config.overrideKey) return config.overrideKey;
  throw new ReleaseError(
    'OVERRIDE_KEY is missing. Set it to the key of the site; "npm run release -- override --new-key" makes one, which the site takes from its next release on.',
  );
}

function overrideLink(
  site: string,
  key: OverrideKey,
  part: RemoteName,
  version: RemoteVersion,
  { minutes }: OverrideOptions,
): string {
  const expires = Date.now() + minutes * 60_000;
  const override: DeveloperOverride = { site, part, version, expires };
  return `${site}/?preview&${overrideParameter}=${key.sign(override)}`;
}

async function readSourceMaps(
  folder: string,
  names: readonly string[],
): Promise<readonly (readonly [string, Uint8Array])[]> {
  const maps = names.map(async (name) => {
    const bytes = await readRegularFile(join(folder, `${name}.map`)).catch(() => undefined);
    return bytes ? [[`${name}.map`, bytes] as const] : [];
  });
  return (await Promise.all(maps)).flat();
}

/** Normalises the address to an origin, because the shell compares it with the page's origin. */
function parseOrigin(address: string): string {
  const url = URL.parse(address);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.origin;
  throw new UsageError(
    `--site must be the address of the site, such as https://www.example.com, but is "${address}".`,
  );
}

function outputOf(link: string): Output {
  return { json: { link }, lines: link };
}
