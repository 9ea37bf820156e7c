import type { RemoteName } from '@countersign/contracts/remotes';
import type { RemoteVersion } from '@countersign/contracts/release-document';
import type { Finding, Rule } from './finding.ts';

/** What a remote exposes now must still be there: the page's slots name it. */
export const exposedKeys: Rule = async ({ next, live }) =>
  Object.entries(next.remotes).flatMap(([name, remote]) => {
    const before = live?.remotes[name as RemoteName]?.live;
    if (!before) return [];
    return [remote.live, remote.canary?.version]
      .filter((version) => version !== undefined)
      .flatMap((version) => missingKeys(name as RemoteName, before, version));
  });

function missingKeys(part: RemoteName, before: RemoteVersion, after: RemoteVersion): Finding[] {
  const missing = Object.keys(before.exposes).filter((key) => !Object.hasOwn(after.exposes, key));
  const added = Object.keys(after.exposes).filter((key) => !Object.hasOwn(before.exposes, key));
  const hint = added.length > 0 ? ` It has ${added.join(', ')} instead: was it renamed?` : '';
  return missing.map((key) => ({
    rule: 'exposed-keys',
    part,
    sentence: `${part} ${after.version} no longer exposes ${key}, which ${before.version} does.${hint} Expose it again, or have the shell's team take it off the page first.`,
  }));
}
