import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';

/** One version of a remote. */
export interface PartVersion {
  readonly remote: RemoteName;
  readonly version: string;
}

/** URLs of remote files contain name and version, so a URL identifies the part. */
const partFileUrl = new RegExp(`/(${remoteNames.join('|')})/(\\d+\\.\\d+\\.\\d+[0-9A-Za-z.-]*)/`);

/** Finds the first remote that a URL or stack trace mentions. */
export function partInStack(stack: string): PartVersion | undefined {
  const [, name, version] = partFileUrl.exec(stack) ?? [];
  const remote = remoteNames.find((known) => known === name);
  return remote && version !== undefined ? { remote, version } : undefined;
}

/** Stack trace of an error, or an empty string for other thrown values. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? '') : '';
}
