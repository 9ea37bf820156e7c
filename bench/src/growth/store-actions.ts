/**
 * Runs in a copy of the project that has other parts: publishes builds and makes them live. Argument: {@link StoreActions}
 * as JSON. The store is that of the environment.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partManifestFile } from '@countersign/contracts/part-manifest';
import { partNames, type PartName } from '@countersign/contracts/remotes';
import { readConfig } from '../../../release/src/config.ts';
import { flipRelease } from '../../../release/src/flip/flip-release.ts';
import { publishPart } from '../../../release/src/publish-part.ts';
import { openDirectoryStore } from '../../../release/src/store/open-store.ts';
import { ReleaseStore } from '../../../release/src/store/release-store.ts';

export interface StoreActions {
  /** Part → folder of its build. */
  readonly publish?: Readonly<Record<string, string>>;
  /** Publishes a build under more versions: `2.0.0`, `2.0.1`, … */
  readonly publishVersions?: { readonly part: string; readonly folder: string; readonly count: number };
  /** Part → version. */
  readonly promote?: Readonly<Record<string, string>>;
}

const config = readConfig();
const store = new ReleaseStore(openDirectoryStore(config.store));
const actions: StoreActions = JSON.parse(process.argv[2] ?? '{}');
const author = 'bench';

for (const [part, folder] of Object.entries(actions.publish ?? {})) {
  await publishPart(store, partNamed(part), folder, author);
}
if (actions.publishVersions) {
  const { part, folder, count } = actions.publishVersions;
  const copy = await mkdtemp(join(tmpdir(), 'bench-versions-'));
  await cp(folder, copy, { recursive: true });
  const file = join(copy, partManifestFile);
  const manifest: object = JSON.parse(await readFile(file, 'utf8'));
  for (let index = 0; index < count; index += 1) {
    await writeFile(file, JSON.stringify({ ...manifest, version: `2.0.${index}` }));
    await publishPart(store, partNamed(part), copy, author);
  }
  await rm(copy, { recursive: true });
}
if (actions.promote) {
  await flipRelease(store, { action: 'promote', versions: actions.promote }, () => config.site, {
    who: author,
  });
}

function partNamed(name: string): PartName {
  const part = partNames.find((known) => known === name);
  if (!part) throw new Error(`Unknown part "${name}".`);
  return part;
}
