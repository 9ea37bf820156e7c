import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { RemoteName } from '@countersign/contracts/remotes';
import { settlingTime } from '@countersign/contracts/telemetry';
import type { Browser } from '@playwright/test';
import { releaseCommand, startProgram, waitForLine } from '../site/running-site.ts';
import type { ReleasedSite } from './release-test.ts';

let networks = 0;

/** A new visitor, whose requests come from a network of their own according to the proxy in front of the site. */
export async function newVisitor(browser: Browser) {
  networks += 1;
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    extraHTTPHeaders: { 'X-Forwarded-For': `10.${networks >> 8}.${networks & 255}.1` },
  });
  return { context, page: await context.newPage() };
}

/** A running `release watch`. */
interface Watch {
  readonly lines: readonly string[];
  /** The exit code, once the process has ended and all its lines are read. */
  readonly code: () => number | null;
  /** Waits until the process ends, at most for a time in milliseconds. */
  ended(timeout: number): Promise<void>;
  stop(): void;
}

/** Starts the watch and waits for its first reading. */
export async function startWatch(
  { variables }: ReleasedSite,
  part: RemoteName,
  ...options: string[]
): Promise<Watch> {
  const watch = startProgram([releaseCommand, 'watch', part, '--interval', '1', ...options], {
    variables,
  });
  const lines: string[] = [];
  let code: number | null = null;
  // All lines are read by then, unlike at the exit.
  const closed = once(watch, 'close').then(() => {
    code = watch.exitCode;
  });
  // Not always "0 of 0": the same release with the same canary may have had views before.
  await waitForLine(watch, /^canary: \d+ of \d+/, lines);
  return {
    lines,
    code: () => code,
    ended: (timeout) => Promise.race([closed, delay(timeout)]),
    stop: () => void watch.kill(),
  };
}

/** Time after which the lead service counts a view without a reported outcome, in milliseconds, with a margin. */
const countingTime = settlingTime + 10_000;

/** Simulates visits until the watch ends. Each time there are enough new visits, it waits until they are counted. */
export async function visitUntilEnded<Visit>(
  watch: Watch,
  visitSome: () => Promise<readonly Visit[]>,
  areEnough: (visits: readonly Visit[]) => boolean = () => false,
): Promise<readonly Visit[]> {
  const visits: Visit[] = [];
  let counted = 0;
  while (watch.code() === null) {
    visits.push(...(await visitSome()));
    if (!areEnough(visits.slice(counted))) continue;
    await watch.ended(countingTime);
    counted = visits.length;
  }
  return visits;
}
