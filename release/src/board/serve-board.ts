import { setTimeout as delay } from 'node:timers/promises';
import { readOwnerNames } from '../access/owners.ts';
import { errorMessage } from '../platform/file-error.ts';
import { listen } from '../platform/listen.ts';
import { printLine } from '../platform/print-line.ts';
import type { ReportsSource } from '../canary/page-reports.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { createBoardServer } from './board-server.ts';
import { writeBoard } from './write-board.ts';

/** Between two reads of the figures, in milliseconds. They cover days, and each read adds all of them up. */
const readInterval = 5 * 60_000;

/** Settings of a board that is kept up to date. */
interface KeptBoardConfig {
  /** Where the figures are read. Without a source the board has none. */
  readonly reports: ReportsSource | undefined;
  readonly ownersFile: string;
}

interface BoardConfig extends KeptBoardConfig {
  readonly boardPort: number;
}

/** A board that is served, and written again if there are figures. */
interface ServedBoard {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Writes the board now, and every five minutes if there are figures. Returns the function that stops it.
 *
 * @param warn is told of each problem that does not stop the board
 */
export function keepBoard(
  store: ReleaseStore,
  { reports, ownersFile }: KeptBoardConfig,
  warn: (message: string) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  let lastWarning = '';
  const write = async (): Promise<void> => {
    let warning = '';
    try {
      await writeBoard(store, readOwnerNames(ownersFile), reports, (message) => (warning = message));
    } catch (error) {
      warning = errorMessage(error);
    }
    // Once, because an unavailable service would repeat it at each read.
    if (warning !== '' && warning !== lastWarning) warn(warning);
    lastWarning = warning;
  };
  const writeRepeatedly = async (): Promise<void> => {
    do {
      await write();
      await delay(readInterval, undefined, { signal: stopping.signal }).catch(() => undefined);
    } while (!stopping.signal.aborted);
  };
  const working = reports ? writeRepeatedly() : write();
  return async () => {
    stopping.abort();
    await working;
  };
}

/** Serves the board, which it keeps, on the loopback interface. Throws a `ReleaseError` if the port is unavailable. */
export async function serveBoard(
  store: ReleaseStore,
  config: BoardConfig,
  warn: (message: string) => void,
): Promise<ServedBoard> {
  const server = createBoardServer(store.objects);
  const port = await listen(server, config.boardPort, 'BOARD_PORT');
  const stopKeeping = keepBoard(store, config, warn);
  return {
    port,
    async close() {
      server.close();
      server.closeAllConnections();
      await stopKeeping();
    },
  };
}

/**
 * Serves the board beside the site. Reports a board that cannot be served, because the site must not depend on it. Resolves
 * to the function that closes it.
 */
export async function openBoardBesideSite(
  store: ReleaseStore,
  config: BoardConfig,
): Promise<() => Promise<void>> {
  const warn = (message: string) => printLine(`release board: ${message}`);
  try {
    const board = await serveBoard(store, config, warn);
    printLine(`the release board is on http://127.0.0.1:${board.port}`);
    return board.close;
  } catch (error) {
    warn(error instanceof Error ? error.message : String(error));
    return async () => undefined;
  }
}
