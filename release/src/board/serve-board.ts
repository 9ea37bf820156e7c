import { setTimeout as delay } from 'node:timers/promises';
import type { Owners } from '../access/owners.ts';
import { errorMessage } from '../platform/file-error.ts';
import { listen } from '../platform/listen.ts';
import { printLine } from '../platform/print-line.ts';
import type { ReportsSource } from '../canary/page-reports.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { createBoardServer } from './board-server.ts';
import { writeBoard } from './write-board.ts';

/** Between two reads of the figures, in milliseconds. */
const readInterval = 60_000;

interface BoardOptions {
  readonly port: number;
  /** Where the figures are read. Without a source the board has none. */
  readonly reports: ReportsSource | undefined;
  readonly readOwners: () => Owners;
  /** Reports a problem that does not stop the board. */
  readonly warn: (message: string) => void;
  readonly interval?: number;
}

/** A board that is served, and written again if there are figures. */
interface ServedBoard {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Writes the board and serves it on the loopback interface. Writes it again every minute if there are figures.
 * Throws a `ReleaseError` if the port is unavailable.
 */
export async function serveBoard(
  store: ReleaseStore,
  { port: wantedPort, reports, readOwners, warn, interval = readInterval }: BoardOptions,
): Promise<ServedBoard> {
  const server = createBoardServer(store.objects);
  const port = await listen(server, wantedPort, 'BOARD_PORT');
  const stopping = new AbortController();
  let lastWarning = '';
  const write = async (): Promise<void> => {
    let warning = '';
    try {
      await writeBoard(store, readOwners(), reports, (message) => (warning = message));
    } catch (error) {
      warning = errorMessage(error);
    }
    // Once, because an unavailable service would repeat it every minute.
    if (warning !== '' && warning !== lastWarning) warn(warning);
    lastWarning = warning;
  };
  const writeRepeatedly = async (): Promise<void> => {
    do {
      await write();
      await delay(interval, undefined, { signal: stopping.signal }).catch(() => undefined);
    } while (!stopping.signal.aborted);
  };
  const working = reports ? writeRepeatedly() : write();
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
