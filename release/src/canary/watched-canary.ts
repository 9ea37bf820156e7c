import { isDeepStrictEqual } from 'node:util';
import type { ReleaseContent } from '@countersign/contracts/release-document';
import { stateOf, type PartState } from '@countersign/contracts/release-versions';
import type { PartName } from '@countersign/contracts/remotes';
import { partsInCanary, type Change } from '../deploy/change.ts';
import { ReleaseError } from '../platform/release-error.ts';
import type { Versions } from '../store/versions.ts';

/** A canary at one percentage. */
export interface WatchedCanary {
  readonly version: string;
  readonly percent: number;
  /** The parts whose versions visitors get together, with their states. */
  readonly states: ReadonlyMap<PartName, WatchedState>;
}

/** The state of a part while its canary is assessed. */
interface WatchedState extends PartState {
  readonly canary: NonNullable<PartState['canary']>;
}

/** The canary of a part, with those that visitors get together with it. Throws a {@link ReleaseError} if the part has none. */
export function canaryIn(release: ReleaseContent, part: PartName): WatchedCanary {
  const canary = stateOf(part, release)?.canary;
  if (!canary)
    throw new ReleaseError(`${part} has no canary. Start one: canary ${part} <version> --percent 10.`);
  const states = partsInCanary(release, part).flatMap((each) => {
    const state = stateOf(each, release);
    return state?.canary ? [[each, { ...state, canary: state.canary }] as const] : [];
  });
  const { version, percent } = canary;
  return { version, percent, states: new Map(states) };
}

/** The versions of a canary. */
export const canaryVersions = ({ states }: WatchedCanary): Versions =>
  Object.fromEntries([...states].map(([part, { canary }]) => [part, canary.version]));

/** The change after an assessment: ends a worse canary, and gives a fine one the next percentage, or promotes it at 100. */
export function changeFor(assessment: 'worse' | 'fine', watched: WatchedCanary, next = 100): Change {
  const versions = canaryVersions(watched);
  const expected = Object.fromEntries(watched.states);
  if (assessment === 'worse') {
    const ended = Object.fromEntries([...watched.states.keys()].map((each) => [each, undefined]));
    return { kind: 'rollback', versions: ended, expected };
  }
  return next < 100
    ? { kind: 'canary', versions, percent: next, expected }
    : { kind: 'promote', versions, expected };
}

/** Whether a release shows the result of {@link changeFor}. */
export function isApplied(change: Change, { states }: WatchedCanary, release: ReleaseContent): boolean {
  return [...states].every(([part, { live: liveVersion, canary }]) => {
    const now = stateOf(part, release);
    const raised = change.kind === 'canary' ? { ...canary, percent: change.percent } : undefined;
    return (
      now?.live === (change.kind === 'promote' ? canary.version : liveVersion) &&
      isDeepStrictEqual(now.canary, raised)
    );
  });
}
