import type { Command } from 'commander';
import { assertOwner } from '../owners.ts';
import { UsageFault } from '../release-fault.ts';
import { stopSignal } from '../stop-signal.ts';
import { watchCanary, type WatchOutcome } from '../watch/watch-canary.ts';
import type { CommandContext } from './command-context.ts';
import { remoteFrom } from './part-argument.ts';
import { note, print, type PrintOptions } from './print.ts';

interface WatchCommandOptions extends PrintOptions {
  readonly metrics: readonly string[];
  readonly views: string;
  readonly minutes: string;
  readonly interval: string;
  readonly promote?: boolean;
}

export function addWatchCommand(program: Command, open: () => CommandContext): void {
  program
    .command('watch <part>')
    .description('judge a canary by what visitors report; roll it back by itself when it is worse')
    .requiredOption('--metrics <addresses...>', 'metrics of every instance of the lead service')
    .option('--views <number>', 'views of the canary before it is judged', '200')
    .option('--minutes <number>', 'give up after this long; the canary stays', '60')
    .option('--interval <seconds>', 'between two looks', '5')
    .option('--promote', 'make it live for everybody when it is no worse')
    .option('--json', 'print the outcome as JSON')
    .action(async (word: string, options: WatchCommandOptions) => {
      const { config, store, siteAfter } = open();
      const part = remoteFrom(word);
      await assertOwner(config.ownersFile, part, config.releaser);
      const outcome = await watchCanary(store, siteAfter, {
        part,
        metrics: options.metrics,
        minimumViews: positive('--views', options.views),
        patience: positive('--minutes', options.minutes) * 60_000,
        interval: positive('--interval', options.interval) * 1_000,
        promote: options.promote === true,
        who: `${config.releaser} (watch)`,
        stopping: stopSignal(),
        progress: (canary, stable) =>
          note(
            `canary: ${canary.failures} of ${canary.views} views failed; stable: ${stable.failures} of ${stable.views}`,
          ),
      });
      print(options, outcome, sentence(part, outcome));
      if (outcome.outcome === 'rolled-back' || outcome.outcome === 'undecided') process.exitCode = 1;
    });
}

function positive(option: string, text: string): number {
  const number = Number(text);
  if (number > 0) return number;
  throw new UsageFault(`${option} must be a number above 0, but is "${text}".`);
}

function sentence(part: string, { outcome, version, canary, stable }: WatchOutcome): string {
  const figures = `${canary.failures} of ${canary.views} views failed, ${stable.failures} of ${stable.views} of the stable version`;
  switch (outcome) {
    case 'rolled-back':
      return `${part} ${version} was rolled back: ${figures}`;
    case 'promoted':
      return `${part} ${version} is live for everybody: ${figures}`;
    case 'fine':
      return `${part} ${version} is no worse than the stable version: ${figures}`;
    case 'ended':
      return `${part} ${version} is not the canary it was: another command has ended or changed it. "history" names it.`;
    case 'undecided':
      return `${part} ${version} stays a canary, there were too few views to judge it: ${figures}`;
  }
}
