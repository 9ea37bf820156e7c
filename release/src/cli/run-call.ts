import { assertOwner } from '../access/owners.ts';
import type { ReleaseConfig } from '../config.ts';
import type { CommandContext } from './command-context.ts';
import type { ParsedCall } from './command-line.ts';
import { parsePart } from './part-argument.ts';
import { print } from './print.ts';
import { updateBoard } from './update-board.ts';

/** Runs a call in this process, and prints its output. */
export async function runCall(call: ParsedCall, open: () => CommandContext): Promise<void> {
  const { command, words, options } = call;
  if (command.needs) assertAllowed(call, open().config);
  const output = await command.run({ words, options, open });
  if (output) print(output, options);
  if (command.changesPage) await updateBoard(open());
}

/** Throws a `ReleaseError` unless the owners' file gives the releaser the right that the call needs. */
export function assertAllowed(
  { command, words }: ParsedCall,
  { ownersFile, releaser }: Pick<ReleaseConfig, 'ownersFile' | 'releaser'>,
): void {
  if (!command.needs) return;
  const part = command.usage.includes('<part>') ? parsePart(words[0] ?? '') : 'shell';
  assertOwner(ownersFile, part, releaser, command.needs);
}
