import { settlingTime } from '@countersign/contracts/telemetry';
import type { Command } from 'commander';
import { assertOwner } from '../owners.ts';
import { UsageFault } from '../release-fault.ts';
import { stopSignal } from '../stop-signal.ts';
import type { Comparisons } from '../watch/canary-counts.ts';
import type { ViewCount } from '../watch/judge-canary.ts';
import { describeViews, watchCanary, type WatchOutcome } from '../watch/watch-canary.ts';
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
        settlingTime,
        progress: (comparisons) => note(progressLine(comparisons)),
      });
      print(options, outcome, sentence(part, outcome));
      if (['rolled-back', 'undecided', 'mismatched'].includes(outcome.outcome)) process.exitCode = 1;
    });
}

function positive(option: string, text: string): number {
  const number = Number(text);
  if (number > 0) return number;
  throw new UsageFault(`${option} must be a number above 0, but is "${text}".`);
}

function progressLine({ failed, hung, late }: Comparisons): string {
  const line = (group: keyof Comparisons['failed'], [views, hangs, lates]: readonly string[]) => {
    const figures = [`${share(failed[group])}${views}`, `${share(hung[group])}${hangs}`];
    return [...figures, ...(isLate(late) ? [`${share(late[group])}${lates}`] : [])].join(', ');
  };
  return `canary: ${line('canary', [' views failed', ' hung', ' late'])}; stable: ${line('stable', ['', '', ''])}`;
}

/** Lateness is seldom, and is told of where there is any. */
function isLate({ canary, stable }: Comparisons['late']): boolean {
  return canary.failures + stable.failures > 0;
}

function share({ failures, views }: ViewCount): string {
  return `${failures} of ${views}`;
}

function sentence(part: string, { outcome, version, because, ...comparisons }: WatchOutcome): string {
  const describe = (measure: keyof Comparisons) => describeViews(measure, comparisons, 'the stable version');
  const measures = ['failed', 'hung', ...(isLate(comparisons.late) ? ['late' as const] : [])] as const;
  const figures = measures.map(describe).join('; ');
  switch (outcome) {
    case 'rolled-back':
      return `${part} ${version} was rolled back: ${describe(because ?? 'failed')}`;
    case 'promoted':
      return `${part} ${version} is live for everybody: ${figures}`;
    case 'fine':
      return `${part} ${version} is no worse than the stable version: ${figures}`;
    case 'ended':
      return `${part} ${version} is not the canary it was: another command has ended or changed it. "history" names it.`;
    case 'undecided':
      return `${part} ${version} stays a canary, there were too few views to judge it: ${figures}`;
    case 'mismatched':
      return `${part} ${version} stays a canary: its share of the views that began is not its percentage, so the figures prove nothing. Find out why, then watch again: ${figures}`;
  }
}
