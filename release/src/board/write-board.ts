import type { OwnerNames } from '../access/owners.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { encode } from '../store/stored-json.ts';
import { readPageReports, type ReportsSource } from '../canary/page-reports.ts';
import { errorMessage } from '../platform/file-error.ts';
import type { BoardState } from './board-state.ts';
import { composeBoard } from './compose-board.ts';
import { lastDays, measure, type Measurements } from './measurements.ts';
import { readBoardState } from './read-board-state.ts';

/** Key of the board. No server or CDN of the public site serves this prefix. */
export const boardKey = 'board/index.html';

/** Attempts of a writer before it leaves the board to the releases that overtook it. */
const maxAttempts = 20;

/**
 * Writes the board of the live release. Repeats if another release became live meanwhile, so that a slow writer does not
 * leave an older board. Resolves to `undefined` if nothing is live.
 *
 * @param source where the figures are read. Without one, or if it fails, the board has none
 * @param warn reports that figures could not be read
 */
export async function writeBoard(
  store: ReleaseStore,
  owners: OwnerNames,
  source?: ReportsSource,
  warn: (message: string) => void = () => undefined,
): Promise<BoardState | undefined> {
  const measurements = source && (await readMeasurements(source, warn));
  let state: BoardState | undefined;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const live = await store.readLive();
    if (!live) return undefined;
    state = await readBoardState(store, live, owners, measurements, new Date());
    await store.objects.overwrite(boardKey, encode(composeBoard(state)));
    if ((await store.readLive())?.tag === live.tag) break;
  }
  return state;
}

async function readMeasurements(
  source: ReportsSource,
  warn: (message: string) => void,
): Promise<Measurements | undefined> {
  const now = Date.now();
  try {
    const [firstDay = ''] = lastDays(now);
    return measure(await readPageReports(source, Date.parse(firstDay), 'day'), now);
  } catch (error) {
    warn(errorMessage(error));
    return undefined;
  }
}
