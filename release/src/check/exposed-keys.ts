import { summarizeList } from './summarize-list.ts';
import type { RemoteName } from '@countersign/contracts/remotes';
import type { RemoteVersion } from '@countersign/contracts/release-document';
import { newlyReferencedVersions } from '../store/referenced-versions.ts';
import type { Violation, Rule } from './violation.ts';

/**
 * A version must expose all keys of the live version, because the page's slots refer to them. Its global name must be
 * unique.
 */
export const exposedKeys: Rule = async ({ next, live }) => {
  const changed = newlyReferencedVersions(live, next);
  return Object.entries(next.remotes).flatMap(([name, remote]) => {
    const part = name as RemoteName;
    const before = live?.remotes[part]?.live;
    return [remote.live, remote.canary?.version]
      .filter((after) => after !== undefined)
      .flatMap((after) => [
        ...(changed.some((named) => named.part === part && named.version === after.version)
          ? globalNameViolations(part, after)
          : []),
        ...(before ? missingKeyViolations(part, before, after) : []),
      ]);
  });
};

/**
 * The global name is also the name of the version's Trusted Types policy. A page can create a policy name once, so a
 * version with another version's name would stop that version from loading.
 */
function globalNameViolations(part: RemoteName, { version, globalName }: RemoteVersion): Violation[] {
  const ownName = `${part}@${version}`;
  if (globalName === ownName) return [];
  return [
    {
      rule: 'exposed-keys',
      part,
      message: `${part} ${version} exposes itself as "${globalName}", which is not its own name. Build it with the global name "${ownName}".`,
    },
  ];
}

function missingKeyViolations(part: RemoteName, before: RemoteVersion, after: RemoteVersion): Violation[] {
  const missing = Object.keys(before.exposes).filter((key) => !Object.hasOwn(after.exposes, key));
  const added = Object.keys(after.exposes).filter((key) => !Object.hasOwn(before.exposes, key));
  if (missing.length === 0) return [];
  const [was, it] = missing.length === 1 ? ['was it renamed', 'it'] : ['were they renamed', 'them'];
  const hint = added.length > 0 ? ` It has ${summarizeList(added)} instead: ${was}?` : '';
  return [
    {
      rule: 'exposed-keys',
      part,
      message: `${part} ${after.version} no longer exposes ${summarizeList(missing)}, which ${before.version} does.${hint} Expose ${it} again, or have the shell's team take ${it} off the page first.`,
    },
  ];
}
