import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';

/** One version of a remote. */
export interface PartVersion {
  readonly remote: RemoteName;
  readonly version: string;
}

/** Files of remotes lie under their name and version, so that an address says whose code it was. */
const fileOfPart = new RegExp(`/(${remoteNames.join('|')})/(\\d+\\.\\d+\\.\\d+[0-9A-Za-z.-]*)/`);

/** The remote whose code an address or a stack names first. */
export function partOf(place: string): PartVersion | undefined {
  const [, name, version] = fileOfPart.exec(place) ?? [];
  const remote = remoteNames.find((known) => known === name);
  return remote && version !== undefined ? { remote, version } : undefined;
}

/** Where an error was thrown; empty for anything else that code can throw. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? '') : '';
}
