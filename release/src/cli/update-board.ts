import { readOwnerNames } from '../access/owners.ts';
import { errorMessage } from '../platform/file-error.ts';
import type { CommandContext } from './command-context.ts';
import { printProgress } from './print.ts';

/**
 * Writes the board after a change of the page. The change has succeeded already, so a board that cannot be written is
 * reported only; the next change writes it again.
 */
export async function updateBoard({
  store,
  config,
}: Pick<CommandContext, 'store' | 'config'>): Promise<void> {
  try {
    // Imported on demand, because the change must not wait for it.
    const { writeBoard } = await import('../board/write-board.ts');
    await writeBoard(store, readOwnerNames(config.ownersFile), config.reports, printProgress);
  } catch (error) {
    printProgress(`The release board was not written: ${errorMessage(error)} The next release writes it.`);
  }
}
