import { summarizeList } from './summarize-list.ts';
import type { RemoteName } from '@countersign/contracts/remotes';
import type { RemoteVersion } from '@countersign/contracts/release-document';
import type { Rule } from './violation.ts';

/** A version must expose all keys of the live version, because the page's slots refer to them. */
export const exposedKeys: Rule = ({ next, live }) => {
  const violations = Object.entries(next.remotes).flatMap(([name, { live: version, canary }]) => {
    const part = name as RemoteName;
    const before = live?.remotes[part]?.live;
    const versions = [version, canary?.version].filter((after) => after !== undefined);
    return versions.flatMap((after) => (before ? missingKeyViolations(part, before, after) : []));
  });
  return Promise.resolve(violations);
};

function missingKeyViolations(part: RemoteName, before: RemoteVersion, after: RemoteVersion): string[] {
  const missing = Object.keys(before.exposes).filter((key) => !Object.hasOwn(after.exposes, key));
  const added = Object.keys(after.exposes).filter((key) => !Object.hasOwn(before.exposes, key));
  if (missing.length === 0) return [];
  const [question, pronoun] = missing.length === 1 ? ['was it renamed', 'it'] : ['were they renamed', 'them'];
  const hint = added.length > 0 ? ` It has ${summarizeList(added)} instead: ${question}?` : '';
  return [
    `${part} ${after.version} no longer exposes ${summarizeList(missing)}, which ${before.version} does.${hint} Expose ${pronoun} again, or have the shell's team take ${pronoun} off the page first.`,
  ];
}
