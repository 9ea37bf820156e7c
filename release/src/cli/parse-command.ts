import { partNames } from '@countersign/contracts/remotes';
import { Command as Program, CommanderError, Option } from 'commander';
import type * as z from 'zod';
import { UsageError } from '../platform/release-error.ts';
import { detailsOf, flagOf, versionsArgument, versionsUsage } from './command-options.ts';
import { commands, overridesOf, type Command, type CallOf } from './commands.ts';

interface ParseOptions {
  /** Whether the help is for clients of the release server. */
  readonly isServer?: boolean;
  readonly writeHelp?: (text: string) => void;
}

const helpText = `
Parts: ${partNames.join(', ')}

Exit codes: 0 success, 1 failure, 2 usage error, 3 the change is (or may be) committed, but not complete: the message says what to do,
75 the machine is too busy for the check, which changed nothing: repeat it later.`;

/**
 * The call that the words of a command line name. `undefined` if they ask for help, which `writeHelp` gets. Throws a {@link UsageError}
 * if they are invalid.
 */
export function parseCommand(
  words: readonly string[],
  { isServer = false, writeHelp = (text) => process.stdout.write(text) }: ParseOptions = {},
): CallOf | undefined {
  let call: CallOf | undefined;
  const program = new Program(isServer ? 'release' : 'npm run release --')
    .description('Publishes built parts, deploys versions and rolls them back.')
    .addHelpText('after', helpText)
    .helpCommand('help [command]', 'show the usage of a command')
    .configureHelp({
      subcommandTerm: (command) =>
        `${command.name()} ${command.usage().replace('[options]', '').trim()}`.trim(),
    })
    // Silent, because usage errors are thrown.
    .configureOutput({ outputError: () => undefined, writeOut: writeHelp })
    .exitOverride();
  for (const [name, command] of Object.entries<Command>(commands)) {
    const { description, input, runsOnServer } = command;
    const added = program.command(name, { hidden: isServer && !runsOnServer }).description(description);
    const positional: string[] = [];
    for (const [key, schema] of Object.entries<z.ZodType>(input.shape)) {
      const details = detailsOf(schema);
      const { success: isOptional, data: value } = schema.safeParse(undefined);
      if (!details) {
        positional.push(key);
        added.arguments(schema === versionsArgument ? versionsUsage : isOptional ? `[${key}]` : `<${key}>`);
        continue;
      }
      const option = new Option(`${flagOf(key)} ${details.placeholder}`.trim(), details.description);
      // As a text that can be parsed, like what is given.
      if (typeof value === 'number') option.default(String(value), String(value));
      else option.default(value);
      added.addOption(option.makeOptionMandatory(!isOptional));
    }
    added.action(() => {
      const values = positional.map((key, index) => {
        const isOfAll = input.shape[key] === versionsArgument;
        return [key, isOfAll ? added.args : (added.processedArgs[index] as unknown)] as const;
      });
      const { data, error } = input.safeParse({ ...added.opts(), ...Object.fromEntries(values) });
      if (error) throw new UsageError(messageOf(error, positional));
      call = { name, ...data } as CallOf;
    });
  }
  try {
    program.parse(words.length > 0 ? words : ['help'], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Thrown after the help is written, too.
    if (error.exitCode === 0) return undefined;
    const [message = ''] = error.message.split('\n');
    throw new UsageError(`${message.replace(/\.$/, '')}. Show the usage with "--help".`);
  }
  const [override] = call ? overridesOf(call) : [];
  if (call && override !== undefined && !('why' in call && call.why !== undefined))
    throw new UsageError(`${flagOf(override)} needs a reason. Give it with --why "…".`);
  return call;
}

/** The first error. That of an option begins with it. */
function messageOf({ issues: [issue] }: z.ZodError, positional: readonly string[]): string {
  const name = String(issue?.path[0]);
  const message = issue?.message ?? '';
  return positional.includes(name) ? message : `${flagOf(name)} ${message}`;
}
