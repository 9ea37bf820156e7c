import type { PartName } from '@countersign/contracts/remotes';
import { Option } from 'commander';
import * as z from 'zod/mini';
import { ReleaseError } from '../platform/release-error.ts';
import { stopSignal } from '../platform/stop-signal.ts';
import { projectDirectory } from '../publish/build-parts.ts';
import type { RebuiltRecord } from '../publish/rebuild-part.ts';
import type { RemoteServer } from '../release-server/client/access-token.ts';
import { changelog, fileHashes } from '../store/stored-documents.ts';
import { parsePart } from './part-argument.ts';
import { printProgress } from './print.ts';
import type { OutputOptions } from './print.ts';
import { requireRecord } from './published-version.ts';
import type { ReleaseCommand } from './release-command.ts';

interface RebuildOptions extends OutputOptions {
  readonly repository?: string | undefined;
}

export const rebuildCommand: ReleaseCommand<RebuildOptions> = {
  usage: 'rebuild <part> <version>',
  description:
    'build the commit of a published version again on this machine, and compare every byte; runs the code of that commit',
  options: [
    new Option('--repository <url>', 'Git repository of the commit, or its folder (default: this one)'),
  ],
  // A server with the keys of the store must not run that code.
  runsHere: true,
  async run({ words: [word = '', version = ''], options, open }) {
    const { store, config } = open();
    const part = parsePart(word);
    const record = config.remote
      ? await readRecordOnServer(config.remote, part, version)
      : await requireRecord(store, part, version);
    const { rebuildPart } = await import('../publish/rebuild-part.ts');
    const rebuilt = await rebuildPart(
      {
        part,
        version,
        record,
        repository: options.repository ?? projectDirectory,
        progress: (step) => printProgress(`${step} …`),
      },
      stopSignal(),
    );
    const { commit, files, changed, missing, added } = rebuilt;
    const differences = [
      ...changed.map((name) => `${name} differs`),
      ...missing.map((name) => `${name} is missing in the rebuild`),
      ...added.map((name) => `${name} is only in the rebuild`),
    ];
    const isSame = differences.length === 0;
    const folder = record.changelog?.folder ?? `${part}/dist`;
    // The publisher names the folder, and it may be any one of the commit.
    const source = `commit ${commit.slice(0, 10)}${folder === `${part}/dist` ? '' : ` in ${folder}`}`;
    return {
      json: { part, version, ...rebuilt },
      lines: [
        ...differences,
        isSame
          ? `${part} ${version}: a build of ${source} has the same bytes in all ${files} files`
          : `${part} ${version} is not what ${source} builds: ${differences.length} differences in ${files} files`,
      ],
      hasFailed: !isSame,
    };
  },
};

// Records of older release commands have no changelog.
const publishedRecord = z.tuple([z.extend(z.partial(changelog), { files: fileHashes })]);

async function readRecordOnServer(
  server: RemoteServer,
  part: PartName,
  version: string,
): Promise<RebuiltRecord> {
  const { send } = await import('./run-remotely.ts');
  const { stdout, exitCode } = await send(server, ['changelog', '--json', '--', part, version]);
  try {
    const [{ files, changes = [], ...found }] = publishedRecord.parse(
      JSON.parse(exitCode === 0 ? stdout : ''),
    );
    return { files, changelog: { ...found, changes } };
  } catch (cause) {
    throw new ReleaseError(
      `The record of ${part} ${version} could not be read from ${server.url}. If it says nothing above, use the same version of the release command as the server.`,
      { cause },
    );
  }
}
