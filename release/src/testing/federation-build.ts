import assert from 'node:assert/strict';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { integrityOf } from '../platform/file-hash.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { writeBuiltPart } from './built-part.ts';
import { addFragments, type RenderableBuild } from '../publish/add-fragments.ts';
import { adaptFederationBuild } from '../publish/federation/adapt-build.ts';

/** Name of the build in tests. */
export const buildName = 'mf-pricing@1.4.0';
const hashOf = (text: string) => integrityOf(new TextEncoder().encode(text));

export type Files = Readonly<Record<string, string>>;

/** Files of a build as webpack writes it, and of its neighbours. A file of `changes` replaces one of the build. */
export function builtFiles(changes: Files = {}, manifest: object = {}, metaData: object = {}): Files {
  const register = `(self.webpackChunkmf_pricing_1_4_0=self.webpackChunkmf_pricing_1_4_0||[]).push([[1],{}]);`;
  const code = {
    'exposed.js': `${register} image("plan.a1.png")`,
    'exposed.css': '._aaaaaa{color:red}',
    'lazy.js': `${register} lazy`,
    'lazy.css': '._bbbbbb{color:red}',
    'lazier.js': `${register} lazier`,
    ...changes,
  };
  const hashes = Object.fromEntries(Object.entries(code).map(([file, text]) => [file, hashOf(text)]));
  const assets = (...files: readonly string[]) => {
    const ofKind = (kind: string) => files.filter((file) => file.endsWith(kind));
    return { js: { sync: ofKind('.js'), async: [] }, css: { sync: ofKind('.css'), async: [] } };
  };
  const exposed = assets('exposed.js', 'exposed.css');
  exposed.js.async.push(...(['lazy.js'] as never[]));
  exposed.css.async.push(...(['lazy.css'] as never[]));
  return {
    'dist/mf-manifest.json': JSON.stringify({
      metaData: {
        name: buildName,
        globalName: buildName,
        publicPath: 'auto',
        buildInfo: { buildVersion: '1.4.0' },
        remoteEntry: { name: 'entry.js', path: '', type: 'global' },
        ...metaData,
      },
      shared: [{ name: 'react', requiredVersion: '^19.3.0', singleton: true, assets: assets() }],
      remotes: [],
      exposes: [{ path: './pricing', assets: exposed }],
      ...manifest,
    }),
    'dist/entry.js': `createPolicy("${buildName}"); script.crossOrigin="anonymous"; hashes=${JSON.stringify(hashes)}`,
    ...Object.fromEntries(Object.entries(code).map(([file, text]) => [`dist/${file}`, text])),
    'dist/plan.a1.png': 'pixels',
    'dist/index.html': '<script src="/index.js"></script>',
    'dist/index.js': 'page of the bundler',
    'dist/entry.js.map': '{}',
    'dist/mf-stats.json': '{}',
    'contract/remotes.d.ts': 'export interface RemoteModules {}',
    'contract/shell-api.d.ts': 'export interface ShellApi {}',
    'settings.json': JSON.stringify({
      budget: { markup: 1, style: 1, script: 20 },
      hydration: { './pricing': 'idle' },
      contract: 'contract',
    }),
  };
}

const bodyOf = (key: string) => `<p>${key}`;

/**
 * Adapts a build in a folder of its own, and returns what is in its files afterwards.
 *
 * @param rendered gets the builds whose components are rendered
 * @param prepare changes the output folder before
 */
export async function adaptFiles(
  files: Files,
  rendered: RenderableBuild[] = [],
  prepare: (dist: string) => Promise<void> = async () => undefined,
) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'adapted-'));
  await writeBuiltPart(folder.path, files);
  await prepare(join(folder.path, 'dist'));
  await adaptFederationBuild('mf-pricing', join(folder.path, 'dist'), join(folder.path, 'settings.json'));
  await addFragments('mf-pricing', join(folder.path, 'dist'), async (build) => {
    rendered.push(build);
    return Object.fromEntries(build.exposedKeys.map((key) => [key, bodyOf(key)]));
  });
  const read = (file: string) => readFile(join(folder.path, 'dist', file), 'utf8');
  const manifest = JSON.parse(await read('part.json'));
  return { manifest, read: (await Promise.all(manifest.files.map(read))) as string[] };
}

/** Message of the error, with the temporary folder left out. */
export async function refusalOf(files: Files): Promise<string> {
  const error: unknown = await adaptFiles(files).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert(error instanceof ReleaseError, String(error));
  return error.message.replaceAll(/\S*\/adapted-\w+\//g, '');
}

/** The same build without one of its files. */
export function builtFilesWithout(file: string): Files {
  return Object.fromEntries(Object.entries(builtFiles()).filter(([path]) => path !== file));
}
