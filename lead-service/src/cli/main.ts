/** The command line of sales and operators: `npm run leads -- help`. */
import { CommanderError } from 'commander';
import { describeError } from '../platform/log.ts';
import { Refusal } from '../platform/refusal.ts';
import { ExplainedError } from '../platform/explained-error.ts';
import { createProgram } from './commands.ts';
import { printStatus, watchOutputPipes } from './output.ts';

const failure = 1;
const wrongUsage = 2;

/** Runs one command and returns the exit code: 0 success, 1 error, 2 wrong usage. */
async function run(): Promise<number> {
  try {
    await createProgram().parseAsync();
    return 0;
  } catch (error) {
    // Commander has already printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUsage;
    if (error instanceof Refusal) {
      printStatus(error.message);
      return error.kind === 'invalid-request' ? wrongUsage : failure;
    }
    printStatus(
      error instanceof ExplainedError ? error.message : `Unexpected error: ${describeError(error)}`,
    );
    return failure;
  }
}

watchOutputPipes();
process.exitCode = await run();
