import { isDeepStrictEqual } from 'node:util';
import type { ReleaseContent, RemoteState } from '@countersign/contracts/release-document';
import {
  servableVersions,
  stateOf,
  versionsIn,
  type PartVersion,
} from '@countersign/contracts/release-versions';
import { partNames, type PartName } from '@countersign/contracts/remotes';

/** Part → version. */
export type Versions<Version = string> = Readonly<Partial<Record<PartName, Version>>>;

/** `mf-leads 1.2.0 with mf-pricing 2.0.0` */
export function nameVersions(versions: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(versions)
    .map(([part, version = '']) => `${part} ${version}`)
    .join(' with ');
}

export const versionsByPart = (versions: readonly PartVersion[]) =>
  Object.fromEntries(versions.map(({ part, version }) => [part, version]));

/** The versions that a content refers to and the one before it does not. */
export function addedVersions(before: ReleaseContent | undefined, next: ReleaseContent) {
  const known = before ? versionsIn(before) : [];
  return versionsIn(next).filter((each) => !known.some((one) => isDeepStrictEqual(one, each)));
}

/** The versions of parts that visitors get by a change: those that become live or a canary, or a canary for another share. */
export function newlyShownVersions<Part extends PartName>(
  parts: readonly Part[],
  before: ReleaseContent | undefined,
  next: ReleaseContent,
) {
  return parts.flatMap((part) => {
    const [was, now] = [before, next].map((content) => content && stateOf(part, content));
    const liveVersion = now?.live === was?.live ? undefined : now?.live;
    const canaryVersion = isDeepStrictEqual(now?.canary, was?.canary) ? undefined : now?.canary?.version;
    return [liveVersion, canaryVersion].flatMap((version) =>
      version === undefined ? [] : [{ part, version }],
    );
  });
}

/** The canaries of a content. */
export function canariesOf(content: ReleaseContent): readonly PartVersion[] {
  return partNames.flatMap((part) => {
    const version = stateOf(part, content)?.canary?.version;
    return version === undefined ? [] : [{ part, version }];
  });
}

/** Each version alone, but those of a canary that visitors get together. */
export function shownTogether<Version extends PartVersion>(
  content: ReleaseContent,
  versions: readonly Version[],
): readonly (readonly Version[])[] {
  const groups = Map.groupBy(versions, ({ part, version }) => {
    const canary = stateOf(part, content)?.canary;
    return (canary?.version === version && canary.together) || `${part}@${version}`;
  });
  return [...groups.values()];
}

/** The content with one version of each part, for a remote that of `versions` (remote → version) if the content has it, or the live one. */
export function withLiveOnly(
  content: ReleaseContent,
  versions: ReadonlyMap<string, string> = new Map(),
): ReleaseContent {
  const remotes = Object.entries(content.remotes).map(([name, remote]) => {
    // Only versions of the content, because it has the hashes without which the page refuses their files.
    const wanted = servableVersions(remote).find(({ version }) => version === versions.get(name));
    return [name, { live: wanted ?? remote.live } satisfies RemoteState] as const;
  });
  return { ...content, shell: withoutOthers(content.shell), remotes: Object.fromEntries(remotes) };
}

/** The shell without the names of its other versions. */
export function withoutOthers({ version, scripts, styles, later }: ReleaseContent['shell']) {
  return { version, scripts, styles, ...(later && { later }) };
}
