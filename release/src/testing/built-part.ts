import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  documentMarkers,
  documentTemplateFile,
  notFoundTemplateFile,
  partManifestFile,
  type PartManifest,
} from '@countersign/contracts/part-manifest';
import type { RemoteName } from '@countersign/contracts/remotes';

/** A build: path inside its folder → content. */
export type BuiltPart = Readonly<Record<string, string | Uint8Array>>;

/** The template of a page with this body. */
export const templateOf = (body: string) =>
  `<!doctype html><head>${documentMarkers.policy}${documentMarkers.head}</head><body>${body}${documentMarkers.scripts}</body>`;

/** Larger than any of these builds. */
const ampleBudget = { markup: 40, style: 40, script: 40 } as const;

/** A minimal build of the shell. `extra` adds or replaces files, `manifest` entries of its `part.json`. */
export function builtShell(
  version: string,
  extra: BuiltPart = {},
  manifest: Partial<PartManifest> = {},
): BuiltPart {
  const entry = { scripts: ['shell.js'], styles: ['shell.css'] };
  return withManifest(
    { name: 'shell', version, entry, exposes: {}, budget: ampleBudget, ...manifest },
    {
      [documentTemplateFile]: templateOf(''),
      [notFoundTemplateFile]: templateOf(''),
      'shell.js': `/* shell ${version} */`,
      'shell.js.map': '{}',
      'shell.css': `body { margin: 0 }\n/*# sourceMappingURL=shell.css.map*/`,
      ...extra,
    },
  );
}

/** Files of each exposed key of a {@link builtRemote}. */
export const exposedChunk = { scripts: ['exposed.js'], styles: ['exposed.css'] };

/** A build of a remote with two exposed keys in one chunk. */
export function builtRemote(
  name: RemoteName,
  version: string,
  extra: BuiltPart = {},
  manifest: Partial<PartManifest> = {},
): BuiltPart {
  const globalName = `${name}@${version}`;
  const entry = { scripts: ['entry.js'], styles: [] };
  const exposes = { './first': exposedChunk, './second': exposedChunk };
  return withManifest(
    { name, version, globalName, entry, exposes, budget: ampleBudget, ...manifest },
    {
      'entry.js': `/* entry of ${name} ${version} */`,
      'entry.js.map': '{}',
      'exposed.js': `/* modules of ${name} ${version} */`,
      'exposed.css': `.part { color: red }`,
      ...extra,
    },
  );
}

/** A build with a `part.json`, which lists its files unless it has a list already. */
function withManifest(manifest: Omit<PartManifest, 'files'>, files: BuiltPart): BuiltPart {
  const listed = Object.keys(files).filter((name) => !name.endsWith('.map'));
  return { [partManifestFile]: JSON.stringify({ files: listed, ...manifest }), ...files };
}

/** Writes a build into a folder, as a bundler would. */
export async function writeBuiltPart(folder: string, files: BuiltPart): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}
