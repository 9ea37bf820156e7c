import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** Ends the program because of wrong arguments: says what is wrong, shows the usage, and exits with 2. */
export function refuseArguments(problem: string, usage: string): never {
  console.error(`${problem}\nUsage: ${usage}`);
  process.exit(2);
}

/**
 * Reads the arguments of a program without subcommands. `--help` prints the usage and exits with 0; wrong arguments exit with 2.
 *
 * @param usage how a person runs it: `npm run bench [-- page] [--runs <number>]`
 * @param words the least and the most words beside the options
 */
export function readArguments<const Options extends ParseArgsOptionsConfig>(
  usage: string,
  [least, most]: readonly [least: number, most: number] = [0, 0],
  options?: Options,
) {
  const args = process.argv.slice(2);
  if (args.some((word) => word === '--help' || word === '-h')) {
    console.log(`Usage: ${usage}`);
    process.exit(0);
  }
  try {
    const parsed = parseArgs<{ args: string[]; options: Options; allowPositionals: true }>({
      args,
      options: options ?? ({} as Options),
      allowPositionals: true,
    });
    const count = parsed.positionals.length;
    if (count < least) refuseArguments('An argument is missing.', usage);
    if (count > most) refuseArguments(`Unknown argument "${parsed.positionals[most]}".`, usage);
    return parsed;
  } catch (error) {
    // Only the first sentence, because the next ones advise how to pass words that begin with "-".
    const [problem = ''] = error instanceof Error ? error.message.split('. ') : [];
    refuseArguments(`${problem.replace(/\.$/, '')}.`, usage);
  }
}
