import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { test } from 'node:test';
import { livePageNaming } from '../testing/live-page-naming.ts';
import { serveLocally } from '../testing/local-server.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { watchLiveVersions } from './live-versions.ts';

const pricing = (version: string) => ({ part: 'mf-pricing', version });

/** Reads a page once and returns the known versions and the log. */
async function probe(answer: RequestListener) {
  await using site = await serveLocally(answer);
  const log = createMemoryLog();
  const live = watchLiveVersions(site.url, log);
  await live.refreshFor([pricing('1.0.0')]);
  live.stop();
  return { name: live.nameOf(pricing('1.0.0')), isReadable: live.isReadable(), lines: log.lines };
}

test('live versions: an unknown part costs nothing, and a version that cannot be read only its own part', async () => {
  const tooLong = `1.0.0-${'b'.repeat(59)}`;
  const others = { 'mf-new': { live: '1.0.0' }, 'mf-leads': { live: tooLong } };
  const page = livePageNaming({ ...others, 'mf-pricing': { live: '1.0.0' } }, tooLong);
  const { name, isReadable } = await probe((_request, response) => response.end(page));
  assert.deepEqual([name, isReadable], ['1.0.0', true]);
});

const wrongAnswers: readonly (readonly [string, RequestListener, RegExp])[] = [
  ['an error', (_, response) => response.writeHead(502).end(), /answered with 502/],
  ['no release document', (_, response) => response.end('<!doctype html>'), /contains no release document/],
  [
    'a damaged release document',
    (_, response) => response.end(livePageNaming({}).replace('"schemaVersion"', '')),
    /reason=/,
  ],
];
for (const [what, answer, line] of wrongAnswers) {
  test(`live versions: ${what} instead of the live page adds no version`, async () => {
    const { name, isReadable, lines } = await probe(answer);
    assert.deepEqual([name, isReadable], ['other', false]);
    assert.match(lines.join('\n'), line);
    assert.equal(lines.length, 1);
  });
}

test('live versions: unknown versions cause one read per second, or ten seconds after a failure', async () => {
  let [fails, requests, now] = [false, 0, 0];
  await using site = await serveLocally((_request, response) => {
    requests += 1;
    if (fails) response.writeHead(503).end();
    else response.end(livePageNaming({ 'mf-pricing': { live: '1.0.0' } }));
  });
  const live = watchLiveVersions(site.url, createMemoryLog(), () => now);
  const reportMadeUp = () =>
    Promise.all(
      Array.from({ length: 100 }, async (_, number) => live.refreshFor([pricing(`6.6.${number}`)])),
    );
  const counts: number[] = [];
  for (const [time, failing] of [
    [0, false],
    [999, false],
    [1_000, true],
    [10_999, true],
    [11_000, false],
  ] as const) {
    now = time;
    fails = failing;
    await reportMadeUp();
    counts.push(requests);
  }
  live.stop();
  assert.deepEqual(counts, [1, 1, 2, 2, 3]);
});

test('live versions: after a hundred releases, only the last few of a part are known', async () => {
  let release = 0;
  await using site = await serveLocally((_request, response) => {
    response.end(livePageNaming({ 'mf-pricing': { live: `1.${release}.0`, previous: '0.9.0' } }));
  });
  const live = watchLiveVersions(site.url, createMemoryLog(), () => release * 1_000);
  for (; release < 100; release += 1) await live.refreshFor([pricing(`1.${release}.0`)]);
  live.stop();
  // Eight are known: 0.9.0, which every page names, and the last seven.
  const versions = ['1.0.0', '1.92.0', '1.93.0', '1.99.0', '0.9.0'];
  const names = versions.map((version) => live.nameOf(pricing(version)));
  assert.deepEqual(names, ['other', 'other', '1.93.0', '1.99.0', '0.9.0']);
});
