/** `npm run dev -- <part> --journeys` starts it: follows journeys (docs/journeys.md) in its page, again after each change. */
import { watch } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { journeys as journeysOfPart } from '@countersign/contracts/journeys';
import type { PartName } from '@countersign/contracts/remotes';
import { openBrowser } from './browser/open-browser.ts';
import { openSiteAt } from './probe/probe-site.ts';
import { runJourneys, type PartJourneys } from './check/journeys/run-journeys.ts';
import { readConfig } from './config.ts';
import { errorMessage } from './store/file-error.ts';

/** Limits of a step in milliseconds, at its first and second attempt. Short, because a developer waits. */
const stepLimits = [2_000, 5_000] as const;

const [origin = '', ...folders] = process.argv.slice(2);
let change = Promise.withResolvers<unknown>();

// The folder, because editors replace a file that they save.
for (const folder of folders) {
  watch(folder, (_event, file) => {
    if (file === 'journeys.ts') change.resolve(true);
  });
}
for (const stream of ['events', 'shell-events']) void watchBuilds(`${origin}/__development/${stream}`);
await using browser = await openBrowser(readConfig().browser);
for (;;) {
  // A change from now on leads to another round.
  change = Promise.withResolvers();
  await follow().catch((error: unknown) => print(errorMessage(error)));
  await change.promise;
}

async function follow(): Promise<void> {
  const start = performance.now();
  const parts = await Promise.all(folders.map(readJourneys));
  const { site } = await openSiteAt(origin);
  const { followed, broken } = await runJourneys(browser, { site, parts, limits: stepLimits });
  for (const { part, name, where, why } of broken) print(`${part}: "${name}" is broken (${where}): ${why}`);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  print(`${followed} followed, ${broken.length} broken, in ${seconds} s`);
}

async function readJourneys(folder: string): Promise<PartJourneys> {
  // Modules are loaded once per address.
  const { href } = pathToFileURL(join(folder, 'journeys.ts'));
  const { journeys } = (await import(`${href}?${performance.now()}`)) as { readonly journeys: unknown };
  return {
    part: basename(folder) as PartName,
    journeys: journeysOfPart.parse(journeys),
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
      if (event.includes('"action":"built"')) change.resolve(true);
    }
  } finally {
    // The server may also break the stream off.
    process.exit();
  }
}

function print(line: string): void {
  console.log(`journeys: ${line}`);
}
