import { assertMayForce, assertOwner, readOwners, type Owners } from '../access/owners.ts';
import type { CommandContext } from './command-context.ts';
import type { ParsedCall } from './command-line.ts';
import { parsePart } from './part-argument.ts';
import { print, printProgress } from './print.ts';

/** Runs a call of the releaser of this machine, and prints its output. */
export async function runCall(call: ParsedCall, open: () => CommandContext): Promise<void> {
  if (call.command.needs) {
    const { ownersFile, releaser } = open().config;
    assertAllowed(call, readOwners(ownersFile), releaser);
  }
  await runAllowedCall(call, open);
}

/** Runs a call that its releaser may make, and prints its output. */
export async function runAllowedCall(
  { command, words, options }: ParsedCall,
  open: () => CommandContext,
): Promise<void> {
  const output = await command.run({ words, options, open });
  if (output) print(output, options);
  if (!command.changesPage) return;
  const context = open();
  // Imported on demand, because the change must not wait for it.
  const { updateBoard } = await import('../board/write-board.ts');
  await updateBoard(context.store, context.config.ownersFile, printProgress);
}

/** Throws a `ReleaseError` unless the owners give the releaser the rights that the call needs. */
export function assertAllowed(
  { command, words, options }: ParsedCall,
  owners: Owners,
  releaser: string,
): void {
  if (!command.needs) return;
  const part = command.usage.includes('<part>') ? parsePart(words[0] ?? '') : 'shell';
  assertOwner(owners, part, releaser, command.needs);
  if (options.force) assertMayForce(owners, releaser);
}
