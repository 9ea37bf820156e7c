import type { ReleaseDocument, RemoteVersion } from '@countersign/contracts/release-document';

/** A version of `mf-pricing` that exposes nothing. */
export function sampleVersion(version: string): RemoteVersion {
  const entry = { url: `/mf-pricing/${version}/entry.js`, integrity: `sha256-${'a'.repeat(43)}=` };
  return { version, globalName: `mf-pricing@${version}`, entry, exposes: {} };
}

/** A release with these remotes. */
export function sampleRelease(remotes: ReleaseDocument['remotes']): ReleaseDocument {
  const shell = { version: '1.0.0', scripts: [], styles: [] };
  return { schemaVersion: 1, releaseId: 'r-0123456789ab', shell, remotes };
}
