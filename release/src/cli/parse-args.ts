import { CommanderError, type Command } from 'commander';
import { UsageError } from '../store/release-error.ts';

/** Usage of the command for which a client of the release server reads a build and sends it. */
export const publishUsage = 'publish <part> [folder]';

/** Parses arguments and runs what they name. Throws a {@link UsageError} if they are invalid. */
export async function parseArgs(program: Command, args: readonly string[]): Promise<void> {
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Thrown after the help is printed, too.
    if (error.exitCode === 0) return;
    const [message = ''] = error.message.split('\n');
    throw new UsageError(`${message.replace(/\.$/, '')}. Show the usage with "--help".`);
  }
}
