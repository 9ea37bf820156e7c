import { partNames, type PartName } from '@countersign/contracts/remotes';
import type { Versions } from '../store/versions.ts';

interface Culprit {
  /** The smallest set of versions that breaks the page, whatever else is in it. */
  readonly versions: Versions;
  /** Whether each of several was opened without the others, and did not break the page. */
  readonly areSoundAlone: boolean;
  /** Index of the last set before the page broke. */
  readonly lastGood: number;
}

/**
 * Finds the versions that broke a page. Searches the history backwards for the change that broke it. If an older page is sound even with
 * the versions of that change, these break a page only together with others. So the same search, in pages with them, finds the change that
 * brought the others. `undefined` if every set is broken.
 *
 * @param sets the versions that were live, the oldest first. The last set is broken
 * @param breaks whether a page with these versions is broken. Called once for each set
 */
export async function findCulprit(
  sets: readonly Versions[],
  breaks: (set: Versions) => Promise<boolean>,
): Promise<Culprit | undefined> {
  const opened = new Map<string, Promise<boolean>>();
  const isBroken = (set: Versions): Promise<boolean> => {
    const key = partNames.map((part) => set[part]).join(' ');
    const known = opened.get(key) ?? breaks(set);
    opened.set(key, known);
    return known;
  };
  let versions: Versions = {};
  let lastGood: number | undefined;
  for (let last = sets.length - 1; ;) {
    const good = await findLastGood(last, (index) => isBroken({ ...sets[index], ...versions }));
    if (good === undefined) {
      if (lastGood === undefined) return undefined;
      const named = Object.entries(versions);
      const alone = named.map(([part, version]) => ({ ...sets[last], [part]: version }));
      let areSoundAlone = named.length > 1;
      for (const set of alone) areSoundAlone &&= !(await isBroken(set));
      return { versions, areSoundAlone, lastGood };
    }
    const before: Versions = { ...sets[good], ...versions };
    const after: Versions = { ...sets[good + 1], ...versions };
    // Several, after a change of several parts.
    let changed = partNames.filter((part) => after[part] !== before[part]);
    for (const part of changed.length > 1 ? changed : []) {
      const others = changed.filter((each) => each !== part);
      if (await isBroken({ ...before, ...pick(after, others) })) changed = others;
    }
    versions = { ...versions, ...pick(after, changed) };
    lastGood ??= good;
    last = good;
  }
}

/**
 * The last of the indexes before a broken one that is not broken, by steps that double until one is good, and then by halves.
 * `undefined` if none is.
 */
async function findLastGood(
  last: number,
  isBroken: (index: number) => Promise<boolean>,
): Promise<number | undefined> {
  let broken = last;
  let good: number | undefined;
  for (let step = 1; good === undefined; step *= 2) {
    if (broken === 0) return undefined;
    const index = Math.max(0, last - step);
    if (await isBroken(index)) broken = index;
    else good = index;
  }
  while (broken - good > 1) {
    const middle = Math.floor((good + broken) / 2);
    if (await isBroken(middle)) broken = middle;
    else good = middle;
  }
  return good;
}

function pick(versions: Versions, parts: readonly PartName[]): Versions {
  return Object.fromEntries(parts.map((part) => [part, versions[part]]));
}
