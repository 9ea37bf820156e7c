import { ReleaseFault } from './release-fault.ts';

/** Runs a command's work. A fault is shown as its sentence and exit code 1; anything else keeps its stack. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.exitCode = 1;
    console.error(error instanceof ReleaseFault ? error.message : error);
  }
}
