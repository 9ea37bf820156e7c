import { overrideParameter } from '@countersign/contracts/override-parameter';
import type { ReleaseDocument, RemoteVersion } from '@countersign/contracts/release-document';
import type { RemoteName } from '@countersign/contracts/remotes';
import type { CanaryGroup } from '@countersign/contracts/telemetry';
import { applyOverride } from '../override/apply-override.ts';

/** Query parameter that turns the overlay on. Its value lists chosen versions: `mf-pricing@1.2.0,mf-leads@1.0.0`. */
export const boundariesParameter = 'boundaries';

/** A version of a remote that the release contains, so this page can load it without a signature. */
interface PageVersion {
  readonly role: 'live' | 'previous' | 'canary';
  readonly version: RemoteVersion;
}

/** Remote → chosen version. */
export type VersionChoice = ReadonlyMap<RemoteName, string>;

export function versionsOf({ remotes }: ReleaseDocument, remote: RemoteName): readonly PageVersion[] {
  const { live, previous, canary } = remotes[remote] ?? {};
  const all = [
    { role: 'live', version: live },
    { role: 'canary', version: canary?.version },
    { role: 'previous', version: previous },
  ] as const;
  return all.flatMap(({ role, version }) => (version ? [{ role, version }] : []));
}

/** Order in which the slots of a remote try its versions. */
export function versionsToTry(
  { remotes }: ReleaseDocument,
  remote: RemoteName,
  group: CanaryGroup,
): readonly string[] {
  const { live, previous, canary } = remotes[remote] ?? {};
  const versions = [group === 'canary' ? canary?.version : undefined, live, previous];
  return versions.flatMap((version) => (version ? [version.version] : []));
}

/** Reads the chosen versions from the page's URL. `ignored` are those that the release does not contain. */
export function readChoice(
  release: ReleaseDocument,
  search: string,
): { readonly choice: VersionChoice; readonly ignored: readonly string[] } {
  const remotes = Object.keys(release.remotes) as RemoteName[];
  const known = new Map(
    remotes.flatMap((remote) =>
      versionsOf(release, remote).map(({ version: { version } }) => [
        `${remote}@${version}`,
        [remote, version] as const,
      ]),
    ),
  );
  const named = (new URLSearchParams(search).get(boundariesParameter) ?? '').split(',');
  return {
    choice: new Map(
      named.flatMap((name) => {
        const version = known.get(name);
        return version ? [version] : [];
      }),
    ),
    // Only what looks like a version, because the page shows these names and anyone can write a link.
    ignored: named.filter((name) => !known.has(name) && /^[\w-]{1,64}@\d[\w.-]{0,63}$/.test(name)),
  };
}

/** URL of this page with another choice for one remote; `undefined` restores what visitors get. */
export function linkToChoice(
  href: string,
  choice: VersionChoice,
  remote: RemoteName,
  version: string | undefined,
): string {
  const next = new Map(choice);
  if (version === undefined) next.delete(remote);
  else next.set(remote, version);
  const url = new URL(href);
  // A signed override takes precedence over the choice, and is not for everyone who gets this link.
  url.searchParams.delete(overrideParameter);
  const value = [...next].map((chosen) => chosen.join('@')).join(',');
  url.searchParams.set(boundariesParameter, value);
  // Undoes the encoding, because people share and read these links.
  url.search = url.search.replaceAll('%40', '@').replaceAll('%2C', ',');
  return url.href;
}

/** Makes the chosen versions live, with the version that was live as their fallback. */
export function applyChoice(release: ReleaseDocument, choice: VersionChoice): ReleaseDocument {
  return [...choice].reduce((document, [remote, name]) => {
    const chosen = versionsOf(release, remote).find(({ version }) => version.version === name);
    return chosen ? applyOverride(document, { part: remote, version: chosen.version }) : document;
  }, release);
}
