/** The command for people who work with leads: `npm run leads -- help`. */
import { CommanderError } from 'commander';
import { AnswerableError } from '../errors.ts';
import { describeError } from '../log.ts';
import { StartFailure } from '../start-failure.ts';
import { isLostReader, note, outliveReaders } from './output.ts';
import { createProgram } from './program.ts';

const fault = 1;
const wrongUse = 2;

/** Runs one command and returns the exit code: 0 done, 1 a fault, 2 wrong use. */
async function run(): Promise<number> {
  try {
    await createProgram().parseAsync();
    return 0;
  } catch (error) {
    if (isLostReader(error)) return 0;
    // Commander has said on stderr what was wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUse;
    if (error instanceof AnswerableError) {
      note(error.message);
      return error.status === 422 ? wrongUse : fault;
    }
    note(
      error instanceof StartFailure ? error.message : `This is a mistake of ours: ${describeError(error)}`,
    );
    return fault;
  }
}

outliveReaders();
process.exitCode = await run();
