import { remoteNamePattern } from '@countersign/contracts/remotes';
import { summarizeList } from '../../platform/summarize-list.ts';

/** The observations of a visitor in a page: invariant → items. Those of a part begin with its name: `mf-pricing: button "Buy"`. */
export type Observation = Readonly<Partial<Record<ObservedName, readonly string[]>>>;
/** An invariant, or a list that helps to judge others. */
type ObservedName = keyof typeof invariants | 'present' | 'loaded';

interface Invariant {
  /**
   * `same`: both pages have the same items. `keeps`: none of the live page is missing. `adds nothing`: none is new. `at least half`: the
   * number at the end of none is clearly less than half of that in the live page.
   */
  readonly compared: 'same' | 'keeps' | 'adds nothing' | 'at least half';
  /** Counts only items of the parts that are released, or of all others. Default: all. */
  readonly of?: 'own' | 'others';
  /** Whether a new shell may break it. Without a live page, it is not checked either. */
  readonly exceptShell?: true;
  /** Whether a person may accept it, because only a person knows whether it is meant. Never an item of another part. */
  readonly changesLooks?: true;
  /** An item that is gone counts only if the list `present` still has it, with any label. */
  readonly ifPresent?: true;
  /** The violation, as a predicate of a part. Empty if the items are predicates. */
  readonly message: string;
}

/** A violation of a page. */
export interface PageViolation {
  /** Equal if several visitors saw the same, though numbers and further items differ between them. */
  readonly key: string;
  /** A predicate of the part: `removes slots: …`. */
  readonly text: string;
}

/** The properties of the page that no part may break. */
const invariants = {
  title: { compared: 'same', changesLooks: true, message: 'changes the title of the page' },
  language: { compared: 'same', changesLooks: true, message: 'changes the language of the page' },
  head: { compared: 'same', changesLooks: true, message: 'changes the head of the page' },
  indexing: { compared: 'same', message: 'changes what search engines may show' },
  address: { compared: 'same', message: 'changes the address or the history' },
  place: { compared: 'same', message: 'scrolls the page or moves the focus as it opens' },
  html: { compared: 'same', exceptShell: true, message: 'changes the element html' },
  body: { compared: 'same', exceptShell: true, message: 'changes the element body' },
  main: { compared: 'same', exceptShell: true, message: 'changes the element main' },
  storage: { compared: 'keeps', exceptShell: true, message: 'changes or removes what is stored by others' },
  cookies: { compared: 'adds nothing', message: 'sets so many cookies that requests fail' },
  functions: { compared: 'adds nothing', exceptShell: true, message: 'replaces functions of the browser' },
  'long tasks': { compared: 'adds nothing', message: 'keeps the page from answering' },
  slots: { compared: 'keeps', changesLooks: true, message: 'removes slots' },
  order: { compared: 'keeps', ifPresent: true, changesLooks: true, message: 'no longer shows in this order' },
  shown: { compared: 'keeps', ifPresent: true, changesLooks: true, message: 'hides' },
  texts: { compared: 'at least half', changesLooks: true, message: 'shows less than half of the text of' },
  pinned: { compared: 'keeps', changesLooks: true, message: 'no longer keeps in the window as it scrolls' },
  linked: { compared: 'keeps', ifPresent: true, message: 'takes the address from links' },
  labels: { compared: 'keeps', ifPresent: true, changesLooks: true, message: 'changes or removes labels' },
  'dead ends': { compared: 'adds nothing', message: 'has links that lead nowhere or load the page again' },
  hidden: { compared: 'adds nothing', message: 'renders nothing' },
  'broken texts': { compared: 'adds nothing', message: 'shows a text that only an error in its code makes' },
  printed: { compared: 'adds nothing', message: 'prints nothing' },
  reachable: { compared: 'keeps', of: 'others', message: 'covers or removes controls or headings of others' },
  covered: {
    compared: 'adds nothing',
    of: 'own',
    message: 'has controls or headings that no visitor can see or press',
  },
  appearance: { compared: 'keeps', of: 'others', exceptShell: true, message: 'changes what is not its own' },
  'sideways scroll': { compared: 'adds nothing', message: 'makes the page too wide' },
  traps: { compared: 'adds nothing', message: 'keeps the wheel or a finger from scrolling the page over' },
  keys: { compared: 'keeps', message: 'keeps keys from scrolling the page' },
  events: { compared: 'adds nothing', message: 'takes events from others' },
  tab: { compared: 'keeps', of: 'others', message: 'keeps Tab from controls of others' },
  accessibility: { compared: 'adds nothing', message: 'is less accessible than the live version' },
  growth: {
    compared: 'adds nothing',
    message: 'moves what visitors read, because it inserts something later',
  },
  replaced: { compared: 'adds nothing', message: 'replaces or sets back what a visitor has filled in' },
  frames: { compared: 'adds nothing', message: 'never comes to rest' },
  announced: { compared: 'adds nothing', message: 'announces something to screen readers again and again' },
  'first frames': { compared: 'adds nothing', message: 'shows the theme late' },
  repeated: { compared: 'adds nothing', message: 'requests the same again and again' },
  violations: { compared: 'adds nothing', message: '' },
  sent: { compared: 'adds nothing', message: 'sends something as it opens' },
  reports: { compared: 'keeps', message: 'no longer reports what visitors meet' },
  departures: { compared: 'adds nothing', message: 'leaves the page' },
} satisfies Readonly<Record<string, Invariant>>;

const names = Object.keys(invariants) as (keyof typeof invariants)[];

/** The names in an observation. A stored observation with other names is not compared. */
export const invariantNames: readonly string[] = names;

const partName = `(?:shell|${remoteNamePattern})`;
/** Matches items of a part. */
const itemOfPart = new RegExp(`^${partName}: `);

/**
 * Compares a page with the live one, invariant by invariant. What differs and counts against the released parts is a
 * violation. A person may accept those in `changedLooks`.
 *
 * @param liveObservations of the live page. If there are several, an item that is not in all of them counts for nothing.
 * @param parts the parts that are released. The whole page belongs to a shell.
 */
export function brokenInvariants(
  seen: Observation,
  liveObservations: readonly Observation[],
  parts: readonly string[],
): { readonly violations: readonly PageViolation[]; readonly changedLooks: readonly PageViolation[] } {
  const isShell = parts.includes('shell');
  // Where the live page cannot be opened, a remote answers for its own items only.
  const isWithoutLivePage = liveObservations.length === 0 && !isShell;
  const isOwn = (item: string) => parts.some((part) => item.startsWith(`${part}: `));
  const isOfOtherPart = (item: string) => !isShell && itemOfPart.test(item) && !isOwn(item);
  const counts = (item: string, of: Invariant['of']) => {
    if (isWithoutLivePage && isOfOtherPart(item)) return false;
    if (of === 'own') return isShell || isOwn(item);
    return of === undefined || !isOwn(item);
  };
  const violations: PageViolation[] = [];
  const changedLooks: PageViolation[] = [];
  for (const name of names) {
    const { of, exceptShell, changesLooks, message }: Invariant = invariants[name];
    if (exceptShell && (isShell || isWithoutLivePage)) continue;
    const broken = differences(name, seen, liveObservations).filter((item) => counts(item, of));
    const byKind = Map.groupBy(new Set(broken), (item) =>
      changesLooks && !isOfOtherPart(item) ? changedLooks : violations,
    );
    for (const [found, items] of byKind) {
      if (message === '') found.push(...items.slice(0, 3).map(violationOf));
      else
        found.push({
          key: `${name}: ${plain(items[0] ?? '')}`,
          text: `${message}: ${summarizeList(items)}`,
        });
    }
  }
  return { violations, changedLooks };
}

/** The items of an invariant that differ from the live page in the way that it forbids, whichever part they belong to. */
function differences(
  name: keyof typeof invariants,
  seen: Observation,
  liveObservations: readonly Observation[],
): readonly string[] {
  const { compared, ifPresent }: Invariant = invariants[name];
  const now = seen[name];
  // Not every visitor observes everything.
  if (!now) return [];
  const observed = liveObservations.flatMap((each) => (each[name] ? [each[name]] : []));
  if (compared === 'at least half') {
    const [first = [], ...others] = observed.map((liveItems) => shortened(now, liveItems));
    return first.filter((item) => others.every((each) => each.includes(item)));
  }

  // Colours, sizes and addresses are compared with their numbers.
  const isExact = compared === 'same' || ifPresent || name === 'appearance';
  const comparable = isExact ? (item: string) => item : plain;
  const setOf = (items: readonly string[]) => new Set(items.map(comparable));
  const [nowSet, liveSets] = [setOf(now), observed.map(setOf)];
  const added = now.filter((item) => !liveSets.some((set) => set.has(comparable(item))));
  if (compared === 'adds nothing') return added;

  const present = new Set(seen.present);
  const isPresent = (item: string) => present.has(item.replace(/, whose label is ".*/, ''));
  const gone = observed.flat().filter((item) => {
    const isSteady = liveSets.every((set) => set.has(comparable(item)));
    return isSteady && !nowSet.has(comparable(item)) && (!ifPresent || isPresent(item));
  });
  if (compared === 'keeps') return gone;
  if (liveObservations.length === 0) return [];
  return added.length > 0 ? added : gone;
}

/** The items with clearly less than half of the number that they had before, without the number. */
function shortened(now: readonly string[], liveItems: readonly string[]): readonly string[] {
  const numbers = new Map(now.map(splitNumber));
  return liveItems.flatMap((item) => {
    const [what, number] = splitNumber(item);
    return (numbers.get(what) ?? number) * 2 + 100 < number ? [what] : [];
  });
}

/** The number at the end of an item, and what is before it. */
function splitNumber(item: string): readonly [what: string, number: number] {
  const end = item.lastIndexOf(' ');
  return [item.slice(0, end), Number(item.slice(end))];
}

/** A part's name, perhaps with an exposed key, which may have digits, or with a version; a hash in the name of a file; a number. */
const namesAndNumbers = new RegExp(
  `\\b(${partName}(?:: \\./[\\w-]+)?)(?:[@/][^\\s/:]+)?|\\.[0-9a-f]{10,16}\\.|\\d+`,
  'g',
);

/** A violation that its predicate alone tells from others. */
export const violationOf = (text: string): PageViolation => ({ key: plain(text), text });

/** An item without versions, hashes of files and numbers, which differ between two pages that show the same. */
const plain = (text: string) => text.replaceAll(namesAndNumbers, '$1');
