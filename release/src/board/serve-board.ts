import { setTimeout as delay } from 'node:timers/promises';
import type { Owners } from '../access/owners.ts';
import { fileErrorMessage } from '../platform/file-error.ts';
import { listen } from '../platform/listen.ts';
import { printLine } from '../platform/print-line.ts';
import { ReleaseError } from '../platform/release-error.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { createBoardServer } from './board-server.ts';
import { recordMetrics, writeBoard } from './write-board.ts';

/** Between two scrapes of the metrics, in milliseconds. */
const scrapeInterval = 60_000;

interface BoardOptions {
  readonly port: number;
  /** Addresses of the metrics of all instances of the lead service. Without them the board has no figures. */
  readonly metrics: readonly string[];
  readonly readOwners: () => Owners;
  /** Reports a problem that does not stop the board. */
  readonly warn: (message: string) => void;
  readonly interval?: number;
}

/** A board that is served, and scraped if there are addresses of metrics. */
interface ServedBoard {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Writes the board, serves it on the loopback interface and, if there are addresses of metrics, scrapes them once a minute.
 * Throws a `ReleaseError` if the port is unavailable.
 */
export async function serveBoard(
  store: ReleaseStore,
  { port: wantedPort, metrics, readOwners, warn, interval = scrapeInterval }: BoardOptions,
): Promise<ServedBoard> {
  const server = createBoardServer(store.objects);
  const port = await listen(server, wantedPort, 'BOARD_PORT');
  const stopping = new AbortController();
  let lastWarning = '';
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      lastWarning = '';
    } catch (error) {
      // Once, because an unavailable service would repeat it every minute.
      const message = fileErrorMessage(error) ?? (error instanceof Error ? error.message : String(error));
      if (message !== lastWarning) warn(message);
      lastWarning = message;
    }
  };
  const write = async () => writeBoard(store, readOwners());
  const scrape = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await attempt(async () => {
        try {
          const warning = await recordMetrics(store, metrics);
          if (warning !== undefined) throw new ReleaseError(warning);
        } finally {
          await write();
        }
      });
      await delay(interval, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const working = metrics.length > 0 ? scrape() : attempt(write);
  return {
    port,
    async close() {
      stopping.abort();
      server.close();
      server.closeAllConnections();
      await working;
    },
  };
}

/**
 * Serves the board beside the site. Reports a board that cannot be served, because the site must not depend on it. Resolves
 * to the function that closes it.
 */
export async function openBoardBesideSite(
  store: ReleaseStore,
  options: Omit<BoardOptions, 'warn'>,
): Promise<() => Promise<void>> {
  const warn = (message: string) => printLine(`release board: ${message}`);
  try {
    const board = await serveBoard(store, { ...options, warn });
    printLine(`the release board is on http://127.0.0.1:${board.port}`);
    return board.close;
  } catch (error) {
    warn(error instanceof Error ? error.message : String(error));
    return async () => undefined;
  }
}
