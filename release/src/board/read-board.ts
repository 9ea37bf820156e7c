import { partNames, type PartName } from '@countersign/contracts/remotes';
import type { Owners } from '../deploy/owners.ts';
import type { PictureRecord } from '../store/stored-pictures.ts';
import type { HistoryEntry } from '../store/history.ts';
import type { LiveState } from '../store/live-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';

/** The pictures of a version that a change released. */
export interface ReleasedPictures {
  readonly part: PartName;
  readonly version: string;
  readonly record: PictureRecord;
}

export type BoardState = Awaited<ReturnType<typeof readBoard>>;

/** Number of changes that are shown. */
const shownChanges = 40;

/** What the board shows: the last changes, newest first, with pictures of what they released. Reads a bounded number of objects. */
export async function readBoard(store: ReleaseStore, live: LiveState, owners: Owners) {
  const changes = await store.recentHistory(live, shownChanges);
  const history = changes.map(async (entry) => [entry, await readReleasedPictures(store, entry)] as const);
  const secondAttempts = await store.secondAttempts.read();
  return { live, owners, secondAttempts, history: await Promise.all(history) };
}

async function readReleasedPictures(
  store: ReleaseStore,
  entry: HistoryEntry,
): Promise<ReleasedPictures | undefined> {
  const part = partNames.find((name) => name === entry.part);
  const [live, canary] = versionsIn(entry.to);
  const version = entry.action === 'promote' ? live : entry.action === 'canary' ? canary : undefined;
  if (part === undefined || version === undefined) return undefined;
  const record = await store.pictures.read(part, version);
  const [liveBefore, canaryBefore] = versionsIn(entry.from);
  // A later check may have compared the version with another one. A canary that is raised or promoted is not new.
  const isOfThisChange = record?.live === liveBefore && canaryBefore !== version;
  return record && isOfThisChange ? { part, version, record } : undefined;
}

/** The live version and the canary in an entry of the history: `1.0.0, 1.1.0 for 10 %`. */
function versionsIn(text = ''): readonly (string | undefined)[] {
  return text.split(', ').map((named) => named.split(' ', 1)[0]);
}
