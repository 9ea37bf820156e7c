/** `npm run dev -- <part> --journeys` starts it: follows journeys (docs/journeys.md) in its page, again after each change. */
import { EventEmitter, once } from 'node:events';
import { watch } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readArguments, refuseArguments } from '@countersign/contracts/arguments';
import { journeys as journeysOfPart } from '@countersign/contracts/journeys';
import type { PartName } from '@countersign/contracts/remotes';
import { describeJourneys } from './check/describe-results.ts';
import { openBrowser } from './check/browser/open-browser.ts';
import type { Tab } from './check/browser/open-tab.ts';
import type { VisitorName } from './check/browser/visitors.ts';
import { fetchSite } from './check/probe-site.ts';
import { runJourneys, type PartJourneys } from './check/journeys/run-journeys.ts';
import { readConfig } from './cli/config.ts';
import { errorMessage } from './platform/errors.ts';
import { linePrinter } from './platform/printable.ts';

/** Limits of a step in milliseconds, at its first and second attempt. Short, because a developer waits. */
const stepLimits = [2_000, 5_000] as const;

const print = linePrinter('journeys');
const usage = 'node release/src/follow-journeys.ts <address of the page> <folder> …';
const [address = '', ...folders] = readArguments(usage, [2, Infinity]).positionals;
if (!URL.canParse(address)) refuseArguments(`"${address}" is no address.`, usage);
/** The changes since the last round began. The first round is one of new journeys. */
const changes = new Set<'journeys' | 'build'>(['journeys']);
const changed = new EventEmitter<{ change: [] }>();

// The folder, because editors replace a file that they save.
for (const folder of folders) {
  watch(folder, (_event, file) => {
    if (file === 'journeys.ts') noteChange('journeys');
  });
}
for (const stream of ['events', 'shell-events'])
  void watchBuilds(new URL(`/__development/${stream}`, address).href);
await using browser = await openBrowser(readConfig().browserLocation);
const tabs = new Map<VisitorName, Tab>();
for (;;) {
  if (changes.size === 0) await once(changed, 'change');
  const isQuick = !changes.has('journeys');
  changes.clear();
  await follow(isQuick).catch((error: unknown) => print(errorMessage(error)));
}

function noteChange(change: 'journeys' | 'build'): void {
  changes.add(change);
  changed.emit('change');
}

/**
 * Follows the journeys once, and prints which are broken.
 *
 * @param isQuick leaves out those that need a page of their own, because to open one takes as long as several journeys
 */
async function follow(isQuick: boolean): Promise<void> {
  const start = performance.now();
  const parts = await Promise.all(folders.map((folder) => readJourneys(folder, isQuick)));
  const { site } = await fetchSite(address);
  const results = await runJourneys(browser, { site, parts, stepLimits, tabs });
  for (const line of describeJourneys(results)) print(line);
  const { followed, broken } = results;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  print(`${followed} followed, ${broken.length} broken, in ${seconds} s`);
}

async function readJourneys(folder: string, isQuick: boolean): Promise<PartJourneys> {
  // Modules are loaded once per address.
  const { href } = pathToFileURL(join(folder, 'journeys.ts'));
  const { journeys } = (await import(`${href}?${performance.now()}`)) as { readonly journeys: unknown };
  const followed = Object.entries(journeysOfPart.parse(journeys)).filter(
    ([, { page, steps }]) => !isQuick || (!page && !steps.some((step) => 'reload' in step)),
  );
  return {
    part: basename(folder) as PartName,
    journeys: Object.fromEntries(followed),
    // At one width, and without those that the check follows for their own part only.
    isThorough: false,
  };
}

/** Starts another round after each build, an event of webpack-dev-middleware in the stream. Ends this process with the server. */
async function watchBuilds(address: string): Promise<void> {
  const { ok, body } = await fetch(address);
  // The server has one stream for the remotes and one for the shell, each only if it builds them.
  if (!ok) return;
  try {
    for await (const event of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      if (event.includes('"action":"built"')) noteChange('build');
    }
  } finally {
    // The server may also break the stream off.
    process.exit();
  }
}
