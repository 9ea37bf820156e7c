/**
 * Publishes and promotes builds in the store of the environment. Runs in a synthetic project. Argument: {@link
 * StoreActions} as JSON.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partManifestFile } from '@countersign/contracts/part-manifest';
import { partNames, type PartName } from '@countersign/contracts/remotes';
import { readConfig } from '../../../release/src/config.ts';
import { deployRelease } from '../../../release/src/deploy/deploy-release.ts';
import { publishPart } from '../../../release/src/publish/publish-part.ts';
import { openDirectoryStore } from '../../../release/src/store/open-store.ts';
import { ReleaseStore } from '../../../release/src/store/release-store.ts';

export interface StoreActions {
  /** Part → folder of its build. */
  readonly publish?: Readonly<Record<string, string>>;
  /** Publishes one build under several versions: `2.0.0`, `2.0.1`, … */
  readonly publishVersions?: { readonly part: string; readonly folder: string; readonly count: number };
  /** Part → version. */
  readonly promote?: Readonly<Record<string, string>>;
}

const config = readConfig();
const store = new ReleaseStore(openDirectoryStore(config.store));
const actions = JSON.parse(process.argv[2] ?? '{}') as StoreActions;
const author = 'bench';

for (const [part, folder] of Object.entries(actions.publish ?? {})) {
  await publishPart(store, partNamed(part), folder, author);
}
if (actions.publishVersions) {
  const { part, folder, count } = actions.publishVersions;
  const copy = await mkdtemp(join(tmpdir(), 'bench-versions-'));
  await cp(folder, copy, { recursive: true });
  const file = join(copy, partManifestFile);
  const manifest = JSON.parse(await readFile(file, 'utf8')) as object;
  for (let index = 0; index < count; index += 1) {
    await writeFile(file, JSON.stringify({ ...manifest, version: `2.0.${index}` }));
    await publishPart(store, partNamed(part), copy, author);
  }
  await rm(copy, { recursive: true });
}
if (actions.promote) {
  await deployRelease(store, { kind: 'promote', versions: actions.promote }, () => config.site, {
    who: author,
  });
}

function partNamed(name: string): PartName {
  const part = partNames.find((known) => known === name);
  if (!part) throw new Error(`Unknown part "${name}".`);
  return part;
}
