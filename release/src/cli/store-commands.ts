import { freeze } from '../deploy/freeze.ts';
import { findPrunable, pruneStore } from '../deploy/prune-store.ts';
import { publishPart } from '../deploy/publish-part.ts';
import { readCommit } from '../deploy/read-commit.ts';
import { removeVersion } from '../deploy/remove-version.ts';
import { unpackBuild } from '../release-server/build-tar.ts';
import { buildFolderOf } from './build-parts.ts';
import type { Run } from './command-context.ts';
import { printProgressWhenSlow } from './print.ts';

export const publish: Run<'publish'> = async ({ part, folder: named }, { config, store, build }) => {
  const folder = build ? await unpackBuild(build.tar) : (named ?? buildFolderOf(part));
  // The folder of a sent build may be in the repository of the release server.
  const commit = build ? build.commit : await readCommit(folder);
  const { manifest, outcome } = await printProgressWhenSlow(
    `compressing and storing the files of ${part}`,
    () => publishPart(store, part, folder, config.releaser, commit),
  );
  const { version } = manifest;
  return { json: { part, version, outcome }, lines: `${part} ${version}: ${outcome}` };
};

/** Freezes a part, or all, until a time; ends the freeze without one. */
export const changeFreeze: Run<'freeze' | 'unfreeze'> = async (call, { store, config }) => {
  const { part, why } = call;
  const until = call.name === 'freeze' ? call.until : undefined;
  await freeze(store, part, until, { who: config.releaser, why });
  const state = until === undefined ? 'no longer frozen' : `frozen until ${until}`;
  return { json: { part, until }, lines: `${part ?? 'The page'} is ${state}` };
};

export const remove: Run<'remove'> = async ({ part, version, why }, { store, config }) => {
  const attribution = { who: config.releaser, why };
  const { releaseId } = await printProgressWhenSlow('reading all releases', () =>
    removeVersion(store, { part, version }, attribution),
  );
  return { json: { releaseId, part, version }, lines: `${part} ${version} is removed` };
};

export const prune: Run<'prune'> = async (call, { store, config }) => {
  const { dryRun = false, yes: isConfirmed = false } = call;
  const attribution = { who: config.releaser };
  const found = await printProgressWhenSlow('reading all versions and releases', async () => {
    const prunable = await findPrunable(store, new Date());
    if (dryRun) return prunable;
    await pruneStore(store, prunable, attribution, { isConfirmed });
    // They have no age, and their pages can be opened again.
    if (prunable.versions.length + prunable.releases.length > 0) await store.checkCache.clear();
    return prunable;
  });
  const { versions, releases, doubt } = found;
  return {
    json: { versions, releases, removed: !dryRun, doubt },
    lines: [
      ...versions.map(({ part, version }) => `${part} ${version}`),
      ...releases.map((releaseId) => `the pages of release ${releaseId}`),
      `${versions.length} versions and ${releases.length} releases ${dryRun ? 'could be removed' : 'removed'}`,
      ...(dryRun && doubt !== undefined ? [`Only with --yes: ${doubt}`] : []),
    ],
  };
};
