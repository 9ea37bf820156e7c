import { partNames, type PartName } from '@countersign/contracts/remotes';
import { Command as Program, CommanderError, Option } from 'commander';
import { UsageError } from '../platform/release-error.ts';
import { flagOf, switchOption, type CommandOption } from './command-options.ts';
import { commands, overridesOf, type Command, type CallOf } from './commands.ts';

const helpText = `
Parts: ${partNames.join(', ')}

Exit codes: 0 success, 1 failure, 2 usage error, 3 the change is (or may be) committed, but not complete: do not repeat it,
75 the machine is too busy for the check, which changed nothing: repeat it later.`;

/**
 * The call that the words of a command line name. `undefined` if they ask for help, which `writeHelp` gets. Throws a {@link UsageError}
 * if they are invalid.
 *
 * @param isServer whether the help is for clients of the release server
 */
export function parseCommand(
  words: readonly string[],
  isServer = false,
  writeHelp: (text: string) => void = (text) => process.stdout.write(text),
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
    const { description, required = [], optional = [], options = {}, runsOnServer } = command;
    const added = program
      .command(name, { hidden: isServer && !runsOnServer })
      .description(description)
      .action(() => {
        const given: readonly unknown[] = added.processedArgs;
        const values = [...required, ...optional].map((argument, index) => [argument, given[index]] as const);
        // Commander has checked and parsed all that the definition of the command names.
        call = { name, options: added.opts(), ...Object.fromEntries(values) } as CallOf;
      });
    for (const argument of required) added.argument(`<${argument}>`, '', parserOf(argument));
    for (const argument of optional) added.argument(`[${argument}]`, '', parserOf(argument));
    for (const [option, definition] of Object.entries({ ...options, json: jsonOption }))
      added.addOption(optionOf(option, definition));
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
  if (call && override !== undefined && !('why' in call.options && call.options.why !== undefined))
    throw new UsageError(`${flagOf(override)} needs a reason. Give it with --why "…".`);
  return call;
}

const jsonOption = switchOption('print the outcome as JSON');

function optionOf(name: string, definition: CommandOption): Option {
  const { placeholder = '', description, choices, isRequired = false, default: value, parse } = definition;
  const flag = flagOf(name);
  const option = new Option(`${flag} ${placeholder}`.trim(), description).default(value);
  if (choices) option.choices(choices);
  if (parse) option.argParser((text: string) => parse(text, flag));
  return option.makeOptionMandatory(isRequired);
}

const parserOf = (argument: string) => (word: string) => (argument === 'part' ? parsePart(word) : word);

function parsePart(word: string): PartName {
  const part = partNames.find((name) => name === word);
  if (!part) throw new UsageError(`Unknown part "${word}". Known parts: ${partNames.join(', ')}.`);
  return part;
}
