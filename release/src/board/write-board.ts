import { readOwners } from '../deploy/owners.ts';
import { errorMessage } from '../platform/errors.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { composeBoard, readBoardState } from './board-page.ts';

/** Attempts of a writer before it leaves the board to the releases that overtook it. */
const maxAttempts = 20;

/**
 * Writes the board after a change of the page. The change has succeeded already, so a board that cannot be written is only
 * reported; the next change writes it again.
 */
export async function updateBoard(
  store: ReleaseStore,
  ownersFile: string,
  warn: (message: string) => void,
): Promise<void> {
  try {
    const owners = readOwners(ownersFile);
    // Repeats if another release became live meanwhile, so that a slow writer does not leave an older board.
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const live = await store.live.read();
      if (!live) return;
      await store.writeBoard(composeBoard(await readBoardState(store, live, owners)));
      if ((await store.live.read())?.tag === live.tag) return;
    }
  } catch (error) {
    warn(`The release board was not written: ${errorMessage(error)} The next release writes it.`);
  }
}
