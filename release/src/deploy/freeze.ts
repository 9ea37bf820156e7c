import type { PartName } from '@countersign/contracts/remotes';
import { ReleaseError } from '../platform/release-error.ts';
import type { Attribution } from '../store/stored-documents.ts';
import type { LiveState } from '../store/live-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { partsOf, type Change } from './change.ts';

/** The key of a freeze of all parts. */
const all = '*';

/**
 * Freezes a part, or all, until a time (ISO 8601), or ends a freeze if no time is given. It is a field of the live state, replaced
 * by compare-and-swap, so every change that is not committed yet obeys it. Throws a {@link ReleaseError} if there is no freeze to end.
 */
export async function freeze(
  store: ReleaseStore,
  part: PartName | undefined,
  until: string | undefined,
  { who, why = '' }: Attribution,
): Promise<void> {
  const key = part ?? all;
  await store.liveStore.commitWithoutNewPage((liveState) => {
    const { [key]: before, ...others } = liveState.freezes ?? {};
    if (!until && !before) throw new ReleaseError(`${frozenName(key)} is not frozen. Nothing was changed.`);
    const freezes = until ? { ...others, [key]: { until, who, why } } : others;
    const action = until ? 'freeze' : 'unfreeze';
    return { who, why: why || undefined, parts: part ? [part] : [], action, to: until, freezes };
  });
}

/** The freezes that have an effect now on these parts, or on any, each as a sentence. */
export function describeFreezes(liveState: LiveState | undefined, parts?: readonly PartName[]) {
  return Object.entries(liveState?.freezes ?? {})
    .filter(([key, { until }]) => {
      const concerns = key === all || !parts || parts.some((part) => part === key);
      return concerns && Date.parse(until) > Date.now();
    })
    .map(([key, { until, who, why }]) => `${frozenName(key)} is frozen until ${until}, by ${who} (${why}).`);
}

/**
 * Throws a {@link ReleaseError} if a freeze forbids a change. Going back is always allowed. Returns the freezes in spite of which
 * the change is made.
 */
export function assertNotFrozen(liveState: LiveState | undefined, change: Change): readonly string[] {
  if (change.kind === 'rollback') return [];
  const frozen = describeFreezes(liveState, partsOf(change));
  if (change.inFreeze || frozen.length === 0) return frozen;
  throw new ReleaseError(
    `${frozen.join(' ')} Nothing was changed. A "rollback" is allowed; "unfreeze" ends it, and --in-freeze of the shell's owners ignores it.`,
  );
}

function frozenName(key: string): string {
  return key === all ? 'The page' : key;
}
