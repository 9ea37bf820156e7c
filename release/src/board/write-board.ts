import type { Owners } from '../access/owners.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { encode, encodeJson } from '../store/stored-json.ts';
import { scrapeMetrics } from '../canary/scrape-metrics.ts';
import { ReleaseError } from '../platform/release-error.ts';
import type { BoardState } from './board-state.ts';
import { composeBoard } from './compose-board.ts';
import { addScrape, type Scrape } from './metrics-history.ts';
import { readPageFont } from './page-font.ts';
import { metricsKey, readBoardState, readMetricsHistory } from './read-board-state.ts';

/** Key of the board. No server or CDN of the public site serves this prefix. */
export const boardKey = 'board/index.html';

/** Attempts of a writer before it leaves the board to the releases that overtook it. */
const maxAttempts = 20;

/**
 * Writes the board of the live release. Repeats if another release became live meanwhile, so that a slow writer does not
 * leave an older board. Resolves to `undefined` if nothing is live.
 */
export async function writeBoard(store: ReleaseStore, owners: Owners): Promise<BoardState | undefined> {
  let state: BoardState | undefined;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const live = await store.readLive();
    if (!live) return undefined;
    state = await readBoardState(store, live, owners, new Date());
    const page = composeBoard(state, await readPageFont(store, live.release.shell));
    await store.objects.overwrite(boardKey, encode(page));
    if ((await store.readLive())?.tag === live.tag) break;
  }
  return state;
}

/**
 * Scrapes the metrics of all instances of the lead service into the board's history. Resolves to a warning if some do not
 * respond, because the figures lack them. Throws a {@link ReleaseError} if no instance responds.
 */
export async function recordMetrics(
  store: ReleaseStore,
  addresses: readonly string[],
): Promise<string | undefined> {
  const scrapes: Scrape[] = [];
  const at = Date.now();
  const answered = await scrapeMetrics(addresses, (address, metrics) =>
    scrapes.push({ address, metrics, at }),
  );
  const history = scrapes.reduce(addScrape, await readMetricsHistory(store));
  if (scrapes.length > 0) await store.objects.overwrite(metricsKey, encodeJson(history));
  const silent = addresses.filter((address) => scrapes.every((scrape) => scrape.address !== address));
  const names = silent.map(withoutCredentials).join(', ');
  if (answered === 0) {
    throw new ReleaseError(
      `${names} does not answer. Set --metrics or BOARD_METRICS to the addresses of the lead service's metrics.`,
    );
  }
  return silent.length > 0 ? `${names} does not answer, so the figures of the board lack it.` : undefined;
}

function withoutCredentials(address: string): string {
  const url = URL.parse(address);
  // A query may hold a token.
  return url ? `${url.protocol}//${url.host}${url.pathname}` : address;
}
