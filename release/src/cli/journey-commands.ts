import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserLocation } from '@countersign/browser/find-browser';
import { Gauge, Registry } from 'prom-client';
import { describeJourneys } from '../check/describe-results.ts';
import type { JourneyResults } from '../check/journeys/run-journeys.ts';
import { bisectJourneys } from '../check/bisect-journeys.ts';
import { probeSite } from '../check/probe-site.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { errorMessage } from '../platform/errors.ts';
import { replaceFile } from '../platform/replace-file.ts';
import { ReleaseError, UsageError } from '../platform/release-error.ts';
import { stopSignal } from '../platform/stop-signal.ts';
import type { Run } from './command-context.ts';
import { print, printProgress, printProgressWhenSlow, type Output } from './print.ts';

interface Probe extends JourneyResults {
  /** Why the site could not be probed. */
  readonly error?: string;
}

/** Follows the journeys (docs/journeys.md) of a live site from outside, so that a broken form is noticed without a visitor. */
export const probe: Run<'probe'> = async (call, { store, config: { browserLocation } }) => {
  const { every, metrics } = call;
  const address = readAddress(call.url);
  // A single probe ends at a signal as any program does.
  const stopping = every === undefined ? undefined : stopSignal();
  const nameCulprits = rememberCulprits(store, browserLocation);
  for (;;) {
    const result = await probeSite(address, browserLocation).catch((error: unknown): Probe => ({
      followed: 0,
      broken: [],
      secondAttempts: [],
      error: errorMessage(error),
    }));
    // A stop closes the browser, which says nothing about the site.
    if (stopping?.aborted) return undefined;
    if (metrics !== undefined) {
      await replaceFile(metrics, await metricsOf(result)).catch((error: unknown) => {
        if (every === undefined) throw error;
        printProgress(`The metrics could not be written: ${errorMessage(error)}`);
      });
    }
    const isAsked = call.bisect === true && result.broken.length > 0;
    const output = outputOf(result, isAsked ? await nameCulprits(result.broken) : undefined);
    if (every === undefined) return output;
    // The exit code is that of the stop, not of a round before it.
    print({ ...output, hasFailed: false }, call);
    printProgress(`probing ${address} again in ${every} min …`);
    const isStopped = await delay(every * 60_000, false, { signal: stopping }).catch(() => true);
    if (isStopped) return undefined;
  }
};

function readAddress(address: string): string {
  const url = URL.parse(address);
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.href;
  throw new UsageError(`"${address}" is no address of a site. Give one such as https://www.example.com.`);
}

/** Returns a function that names the versions which broke journeys. It remembers the last answer, because to find it takes minutes. */
function rememberCulprits(store: ReleaseStore, browserLocation: BrowserLocation) {
  let known = { key: '', lines: [] as readonly string[] };
  const find = async (broken: Probe['broken']): Promise<readonly string[]> => {
    const liveState = await store.liveStore.require();
    const names = new Set(broken.map(({ part, name }) => `${part} ${name}`));
    const key = [liveState.release.releaseId, ...[...names].toSorted()].join();
    if (known.key === key) return known.lines;
    const isBroken = (part: string, name: string) => names.has(`${part} ${name}`);
    const { bisections } = await bisectJourneys(store, liveState, browserLocation, isBroken);
    const lines = bisections.map(({ text }) => text);
    known = { key, lines: lines.length > 0 ? lines : [keptInStore] };
    return known.lines;
  };
  return (broken: Probe['broken']) => find(broken).catch((error: unknown) => [errorMessage(error)]);
}

const keptInStore =
  'The versions of the live release are sound when the check opens them from the store. Look for the cause at the servers of the site.';

function outputOf(result: Probe, culprits?: readonly string[]): Output {
  // Without screenshots.
  const broken = result.broken.map(({ part, name, where, why }) => ({ part, name, where, why }));
  return {
    json: { ...result, broken, culprits },
    lines: [...linesOf(result), ...(culprits ?? [])],
    hasFailed: result.followed === 0 || broken.length > 0,
  };
}

function linesOf(result: Probe): readonly string[] {
  const { followed, broken, error } = result;
  if (error !== undefined) return [`The site could not be probed: ${error}`];
  if (followed === 0) return ['0 journeys were followed: no part of the page has any.'];
  return [...describeJourneys(result), `${followed} journeys followed, ${broken.length} broken`];
}

/** The result in the text format of Prometheus. The alerts in docs/operate/alerts.yaml use these names. */
function metricsOf({ followed, broken, error }: Probe): Promise<string> {
  const registry = new Registry();
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  gauge('site_probe_up', 'Whether the site could be probed.').set(
    error === undefined && followed > 0 ? 1 : 0,
  );
  gauge('site_probe_time_seconds', 'When it was probed last, in seconds since the epoch.').setToCurrentTime();
  const counts = gauge('site_journeys_broken', 'Journeys of a part that visitors cannot follow.', ['part']);
  for (const { part } of broken) counts.inc({ part });
  return registry.metrics();
}

/** Names the versions that broke the live page. */
export const bisect: Run<'bisect'> = async ({ journey }, { store, config: { browserLocation } }) => {
  const liveState = await store.liveStore.require();
  const { followed, bisections } = await printProgressWhenSlow('opening sets of versions', () =>
    bisectJourneys(
      store,
      liveState,
      browserLocation,
      (_part, name) => journey === undefined || name === journey,
    ),
  );
  if (followed === 0)
    throw new ReleaseError(`No part of the live page has such a journey. Their journeys.ts name them.`);
  const sound = `${followed} journeys followed, none is broken`;
  return {
    json: bisections,
    lines: bisections.length > 0 ? bisections.map(({ text }) => text) : sound,
    hasFailed: bisections.length > 0,
  };
};
