import { inspect } from 'node:util';
import { fileErrorMessage } from '../platform/errors.ts';
import { printable } from '../platform/printable.ts';
import { ReleaseError } from '../platform/release-error.ts';

/**
 * Runs a program. Prints the message of a {@link ReleaseError} or of the file system, and sets the exit code. Unexpected
 * errors are printed with their stack trace.
 */
export async function runMain(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const releaseError = error instanceof ReleaseError ? error : undefined;
    process.exitCode = releaseError?.exitCode ?? 1;
    console.error(printable(releaseError?.message ?? fileErrorMessage(error) ?? inspect(error)));
  }
}
