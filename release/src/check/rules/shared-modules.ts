import type { SharedModule } from '@countersign/contracts/part-manifest';
import semver from 'semver';
import { summarizeList } from '../../platform/summarize-list.ts';
import type { VersionRule } from './version-rule.ts';

/**
 * The shell provides the only copy of each module that parts share by Module Federation. Its version must satisfy the range
 * of every remote, and no remote may bring a second copy.
 */
export const sharedModules: VersionRule = ({ manifest: { shared }, shell }) => {
  if (!shared) return ['does not list its shared modules. Build and publish it again.'];
  // Modules of equal versions, such as react and react-dom, are one violation.
  const modules = Map.groupBy(Object.entries(shared), ([name, wanted]) =>
    mismatch(wanted, shell.shared?.[name]?.provided),
  );
  modules.delete(undefined);
  return [...modules].map(
    ([reason, entries]) => `wants ${summarizeList(entries.map(([name]) => name))} ${reason}`,
  );
};

/** Why a remote cannot use the copy of a module that the shell offers, as the end of a message. */
function mismatch({ range, provided }: SharedModule, offered: string | undefined): string | undefined {
  if (offered === undefined) {
    return `${range}, which the shell does not provide. Build it in instead of sharing it.`;
  }
  if (!semver.satisfies(offered, range, { includePrerelease: true })) {
    return `${range}, but the page has ${offered}. Build it for that version, or have the shell's team release one that provides yours.`;
  }
  if (provided === undefined) return undefined;
  return 'in a copy of its own: two copies would load, and break each other. Share it with import: false.';
}
