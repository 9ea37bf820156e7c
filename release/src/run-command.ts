import { inspect } from 'node:util';
import { printable } from './printable.ts';
import { ReleaseFault } from './release-fault.ts';

/**
 * Runs a command's work. A fault is shown as its sentence and ends the process with its exit code; anything else keeps
 * its stack.
 */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const fault = error instanceof ReleaseFault ? error : undefined;
    process.exitCode = fault?.exitCode ?? 1;
    console.error(printable(fault ? fault.message : inspect(error)));
  }
}
