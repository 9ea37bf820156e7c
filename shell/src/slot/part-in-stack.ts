// blind spot: no step makes a part fail, but the tests of watch-part-errors do.
import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';
import { bundledEntryAt } from '../federation/entry-bundle.ts';

/** One version of a remote. */
export interface PartVersion {
  readonly remote: RemoteName;
  readonly version: string;
}

/** URLs of remote files contain name and version, so a URL identifies the part. */
const partFileUrl = new RegExp(`/(${remoteNames.join('|')})/(\\d+\\.\\d+\\.\\d+[0-9A-Za-z.-]*)/`);

/** Finds the first remote that a URL or stack trace mentions. In the entry bundle, the line number tells which it is. */
export function partInStack(stack: string): PartVersion | undefined {
  for (const line of stack.split('\n')) {
    const [, name, version] = partFileUrl.exec(bundledEntryAt(line) ?? line) ?? [];
    const remote = remoteNames.find((known) => known === name);
    if (remote && version !== undefined) return { remote, version };
  }
  return undefined;
}

/** Stack trace of an error, or an empty string for other thrown values. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? '') : '';
}
