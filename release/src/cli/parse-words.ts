import { partNames } from '@countersign/contracts/remotes';
import { CommanderError, type Command } from 'commander';
import { UsageError } from '../store/release-error.ts';

/** Commands that can read a build of the releaser's machine. */
export const publishUsage = 'publish <part> [folder]';
export const checkUsage = 'check <part> [version]';

/** Parses arguments and runs what they name. Throws a {@link UsageError} if they are invalid. */
export async function parseWords(program: Command, words: readonly string[]): Promise<void> {
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new UsageError(usageErrorMessage(error));
  }
}

/** Message of a usage error: what is wrong with the arguments, and what to do. */
function usageErrorMessage({ code, message }: CommanderError): string {
  const [, word = ''] = /'([^']*)'/.exec(message) ?? [];
  switch (code) {
    case 'commander.unknownCommand':
      return `Unknown command "${word}". List the commands with "help".`;
    case 'commander.missingArgument':
      return word === 'part'
        ? `Missing argument "part". Known parts: ${partNames.join(', ')}.`
        : `Missing argument "${word}". Show the usage with "--help" after the command.`;
    default: {
      const [first = ''] = message
        .replace(/^error: /, '')
        .replace(/\.$/, '')
        .split('\n');
      return `${first.charAt(0).toUpperCase()}${first.slice(1)}. Show the usage with "--help" after the command.`;
    }
  }
}
