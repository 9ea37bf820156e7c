import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { PartName, RemoteName } from '@countersign/contracts/remotes';

export interface NamedVersion {
  readonly part: PartName;
  readonly version: string;
}

/** Every version that a visitor of this release may get: live, previous and canary. */
export function namedVersions({
  shell,
  remotes,
}: Omit<ReleaseDocument, 'releaseId'>): readonly NamedVersion[] {
  const named: NamedVersion[] = [{ part: 'shell', version: shell.version }];
  for (const [name, { live, previous, canary }] of Object.entries(remotes)) {
    for (const remote of [live, previous, canary?.version]) {
      if (remote) named.push({ part: name as RemoteName, version: remote.version });
    }
  }
  return named;
}

/** What a state names and the one before does not. */
export function newVersions(
  before: ReleaseDocument | undefined,
  next: ReleaseDocument,
): readonly NamedVersion[] {
  const known = before ? namedVersions(before) : [];
  return namedVersions(next).filter(
    ({ part, version }) => !known.some((each) => each.part === part && each.version === version),
  );
}
