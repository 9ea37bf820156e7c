import { remoteNamePattern } from '@countersign/contracts/remotes';
import { summarizeList } from '../../platform/summarize-list.ts';

/** What a visitor observes in a page: invariant → entries. Those of a part begin with its name: `mf-pricing: button "Buy"`. */
export type Observation = Readonly<Partial<Record<ObservedName, readonly string[]>>>;
/** An invariant, or a list that helps to judge others. */
type ObservedName = keyof typeof invariants | 'present' | 'loaded';

interface Invariant {
  /**
   * `same`: both pages have the same entries. `keeps`: none of the live page is missing. `adds nothing`: none is new. `at least half`: the
   * number at the end of none is clearly less than half of that in the live page.
   */
  readonly compared: 'same' | 'keeps' | 'adds nothing' | 'at least half';
  /** Counts only entries of the parts that are released, or of all others. Default: all. */
  readonly of?: 'own' | 'others';
  /** Whether a new shell may break it. Without a live page, it is not checked either. */
  readonly isOfShell?: true;
  /** Whether a person may accept it, because only a person knows whether it is meant. Never an entry of another part. */
  readonly changesLooks?: true;
  /** An entry that is gone counts only if the list `present` still has it, with any label. */
  readonly isOfPresent?: true;
  /** The violation, as a predicate of a part. Empty if the entries are predicates. */
  readonly message: string;
}

/** What is wrong with a page. */
export interface PageViolation {
  /** Equal if several visitors saw the same, though numbers and further entries differ between them. */
  readonly key: string;
  /** A predicate of the part: `removes slots: …`. */
  readonly text: string;
}

/** What no part may change in the page. */
const invariants = {
  title: { compared: 'same', changesLooks: true, message: 'changes the title of the page' },
  language: { compared: 'same', changesLooks: true, message: 'changes the language of the page' },
  head: { compared: 'same', changesLooks: true, message: 'changes the head of the page' },
  indexing: { compared: 'same', message: 'changes what search engines may show' },
  address: { compared: 'same', message: 'changes the address or the history' },
  place: { compared: 'same', message: 'scrolls the page or moves the focus as it opens' },
  html: { compared: 'same', isOfShell: true, message: 'changes the element html' },
  body: { compared: 'same', isOfShell: true, message: 'changes the element body' },
  main: { compared: 'same', isOfShell: true, message: 'changes the element main' },
  storage: { compared: 'keeps', isOfShell: true, message: 'changes or removes what is stored by others' },
  cookies: { compared: 'adds nothing', message: 'sets so many cookies that requests fail' },
  functions: { compared: 'adds nothing', isOfShell: true, message: 'replaces functions of the browser' },
  'long tasks': { compared: 'adds nothing', message: 'keeps the page from answering' },
  slots: { compared: 'keeps', changesLooks: true, message: 'removes slots' },
  order: {
    compared: 'keeps',
    isOfPresent: true,
    changesLooks: true,
    message: 'no longer shows in this order',
  },
  shown: { compared: 'keeps', isOfPresent: true, changesLooks: true, message: 'hides' },
  texts: { compared: 'at least half', changesLooks: true, message: 'shows less than half of the text of' },
  pinned: { compared: 'keeps', changesLooks: true, message: 'no longer keeps in the window as it scrolls' },
  linked: { compared: 'keeps', isOfPresent: true, message: 'takes the address from links' },
  labels: { compared: 'keeps', isOfPresent: true, changesLooks: true, message: 'changes or removes labels' },
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
  appearance: { compared: 'keeps', of: 'others', isOfShell: true, message: 'changes what is not its own' },
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
/** Matches entries of a part. */
const entryOfPart = new RegExp(`^${partName}: `);

/**
 * Compares a page with the live one, invariant by invariant. What differs and counts against the released parts is a
 * violation. A person may accept those in `changedLooks`.
 *
 * @param liveObservations of the live page. If there are several, an entry that is not in all of them counts for nothing.
 * @param parts the parts that are released. The whole page belongs to a shell.
 */
export function brokenInvariants(
  seen: Observation,
  liveObservations: readonly Observation[],
  parts: readonly string[],
): { readonly violations: readonly PageViolation[]; readonly changedLooks: readonly PageViolation[] } {
  const isShell = parts.includes('shell');
  // Where the live page cannot be opened, a remote answers for its own entries only.
  const isWithoutLivePage = liveObservations.length === 0 && !isShell;
  const isOwn = (entry: string) => parts.some((part) => entry.startsWith(`${part}: `));
  const isOfOtherPart = (entry: string) => !isShell && entryOfPart.test(entry) && !isOwn(entry);
  const counts = (entry: string, of: Invariant['of']) => {
    if (isWithoutLivePage && isOfOtherPart(entry)) return false;
    if (of === 'own') return isShell || isOwn(entry);
    return of === undefined || !isOwn(entry);
  };
  const violations: PageViolation[] = [];
  const changedLooks: PageViolation[] = [];
  for (const name of names) {
    const { of, isOfShell, changesLooks, message }: Invariant = invariants[name];
    if (isOfShell && (isShell || isWithoutLivePage)) continue;
    const broken = differences(name, seen, liveObservations).filter((entry) => counts(entry, of));
    const byKind = Map.groupBy(new Set(broken), (entry) =>
      changesLooks && !isOfOtherPart(entry) ? changedLooks : violations,
    );
    for (const [found, entries] of byKind) {
      if (message === '') found.push(...entries.slice(0, 3).map(violationOf));
      else
        found.push({
          key: `${name}: ${plain(entries[0] ?? '')}`,
          text: `${message}: ${summarizeList(entries)}`,
        });
    }
  }
  return { violations, changedLooks };
}

/** The entries of an invariant that differ from the live page in the way that it forbids, whichever part they belong to. */
function differences(
  name: keyof typeof invariants,
  seen: Observation,
  liveObservations: readonly Observation[],
): readonly string[] {
  const { compared, isOfPresent }: Invariant = invariants[name];
  const now = seen[name];
  // Not every visitor observes everything.
  if (!now) return [];
  const observed = liveObservations.flatMap((each) => (each[name] ? [each[name]] : []));
  const before = observed.flat();
  if (compared === 'at least half') return shortened(now, before);

  // Colours, sizes and addresses are compared with their numbers.
  const isExact = compared === 'same' || isOfPresent || name === 'appearance';
  const comparable = isExact ? (entry: string) => entry : plain;
  const setOf = (entries: readonly string[]) => new Set(entries.map(comparable));
  const [nowSet, liveSets] = [setOf(now), observed.map(setOf)];
  const added = now.filter((entry) => !liveSets.some((set) => set.has(comparable(entry))));
  if (compared === 'adds nothing') return added;

  const present = new Set(seen.present);
  const isPresent = (entry: string) => present.has(entry.replace(/, whose label is ".*/, ''));
  const gone = before.filter((entry) => {
    const isSteady = liveSets.every((set) => set.has(comparable(entry)));
    return isSteady && !nowSet.has(comparable(entry)) && (!isOfPresent || isPresent(entry));
  });
  if (compared === 'keeps') return gone;
  if (liveObservations.length === 0) return [];
  return added.length > 0 ? added : gone;
}

/** What has clearly less than half of the number that it had before, without the number. */
function shortened(now: readonly string[], before: readonly string[]): readonly string[] {
  const numbers = new Map(now.map(splitNumber));
  return before.flatMap((entry) => {
    const [what, number] = splitNumber(entry);
    return (numbers.get(what) ?? number) * 2 + 100 < number ? [what] : [];
  });
}

/** The number at the end of an entry, and what is before it. */
function splitNumber(entry: string): readonly [what: string, number: number] {
  const end = entry.lastIndexOf(' ');
  return [entry.slice(0, end), Number(entry.slice(end))];
}

/** A part's name, perhaps with an exposed key, which may have digits, or with a version; a hash in the name of a file; a number. */
const namesAndNumbers = new RegExp(
  `\\b(${partName}(?:: \\./[\\w-]+)?)(?:[@/][^\\s/:]+)?|\\.[0-9a-f]{10,16}\\.|\\d+`,
  'g',
);

/** A violation that its predicate alone tells from others. */
export const violationOf = (text: string): PageViolation => ({ key: plain(text), text });

/** An entry without versions, hashes of files and numbers, which differ between two pages that show the same. */
const plain = (text: string) => text.replaceAll(namesAndNumbers, '$1');
