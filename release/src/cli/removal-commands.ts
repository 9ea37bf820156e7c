import { pruneStore } from '../deploy/prune-store.ts';
import { removeVersion } from '../deploy/remove-version.ts';
import type { Run } from './command-context.ts';
import { printProgressWhenSlow } from './print.ts';

export const remove: Run<'remove'> = async ({ part, version, why }, { store, config }) => {
  const author = { who: config.releaser, why };
  const { releaseId } = await printProgressWhenSlow('reading all releases', () =>
    removeVersion(store, { part, version }, author),
  );
  return { json: { releaseId, part, version }, lines: `${part} ${version} is removed` };
};

export const prune: Run<'prune'> = async (call, { store, config }) => {
  const { dryRun = false, yes: isConfirmed = false } = call;
  const author = { who: config.releaser };
  const { versions, releases, doubt } = await printProgressWhenSlow('reading all versions and releases', () =>
    pruneStore(store, { now: new Date(), remove: !dryRun, isConfirmed, author }),
  );
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
