import type { RemoteName } from '@countersign/contracts/remotes';
import type { RemoteVersion } from '@countersign/contracts/release-document';
import { changedVersions } from './changed-versions.ts';
import { namePlaces, type Finding, type Rule } from './finding.ts';

/**
 * What a remote exposes now must still be there, because the page's slots name it, and every version must expose it under
 * a global name of its own.
 */
export const exposedKeys: Rule = async (candidate) => {
  const { next, live } = candidate;
  const changed = changedVersions(candidate);
  return Object.entries(next.remotes).flatMap(([name, remote]) => {
    const part = name as RemoteName;
    const before = live?.remotes[part]?.live;
    return [remote.live, remote.canary?.version]
      .filter((after) => after !== undefined)
      .flatMap((after) => [
        ...(changed.some((named) => named.part === part && named.version === after.version)
          ? foreignName(part, after)
          : []),
        ...(before ? missingKeys(part, before, after) : []),
      ]);
  });
};

/**
 * The global name is also that of the one Trusted Types policy that the page allows a version, and a policy's name can be
 * used once per page. With the name of another version, or of the shell, it would stop that one from loading.
 */
function foreignName(part: RemoteName, { version, globalName }: RemoteVersion): Finding[] {
  const ownName = `${part}@${version}`;
  if (globalName === ownName) return [];
  return [
    {
      rule: 'exposed-keys',
      part,
      sentence: `${part} ${version} exposes itself as "${globalName}", which is not its own name. Build it with the global name "${ownName}".`,
    },
  ];
}

function missingKeys(part: RemoteName, before: RemoteVersion, after: RemoteVersion): Finding[] {
  const missing = Object.keys(before.exposes).filter((key) => !Object.hasOwn(after.exposes, key));
  const added = Object.keys(after.exposes).filter((key) => !Object.hasOwn(before.exposes, key));
  if (missing.length === 0) return [];
  const [was, it] = missing.length === 1 ? ['was it renamed', 'it'] : ['were they renamed', 'them'];
  const hint = added.length > 0 ? ` It has ${namePlaces(added)} instead: ${was}?` : '';
  return [
    {
      rule: 'exposed-keys',
      part,
      sentence: `${part} ${after.version} no longer exposes ${namePlaces(missing)}, which ${before.version} does.${hint} Expose ${it} again, or have the shell's team take ${it} off the page first.`,
    },
  ];
}
