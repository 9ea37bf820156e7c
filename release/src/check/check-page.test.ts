import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { defineJourneys, press, see } from '@countersign/contracts/journeys';
import { releaseDocumentElementId } from '@countersign/contracts/page-markup';
import { browserOfTests } from '../testing/config.ts';
import { createTemporaryStore } from '../testing/temporary-store.ts';
import { openBrowser } from './browser/open-browser.ts';
import type { OfflineSite } from './browser/offline-site.ts';
import { Pace } from './browser/pace.ts';
import { inspectPage } from './invariants/inspect-page.ts';
import { runJourneys } from './journeys/run-journeys.ts';

const browser = await openBrowser(browserOfTests);
after(() => browser.close());

/** A site whose page has this markup in its one slot. */
const siteWith = (markup: string): OfflineSite => ({
  origin: 'https://www.example.com',
  appHost: 'https://app.example',
  read(path) {
    const body = `<!doctype html><html lang="en"><head><title>Sample</title></head><body><main><h1>Sample</h1>
      <div data-remote="mf-pricing" data-exposed="./plans" data-state="running">${markup}</div></main>
      <script type="application/json" id="${releaseDocumentElementId}">{ "mf-pricing": {} }</script></body></html>`;
    return Promise.resolve(path === '/' ? { body, headers: {} } : undefined);
  },
});

const sound = siteWith(`<button onclick="this.after('Ten plans')">More</button>`);

test('check: a journey that works passes, and one whose button is dead is refused', async () => {
  const journeys = defineJourneys({
    'more is shown': [press('button "More"'), see('"Ten plans"')],
    'the page has a heading': [see('heading "Sample"')],
  });
  const follow = async (site: OfflineSite) => {
    const parts = [{ part: 'mf-pricing', journeys, isThorough: false }] as const;
    const run = await runJourneys(browser, { site, liveSite: sound, parts, stepLimits: [300, 1_500] });
    return { followed: run.followed, broken: run.broken.map(({ name, why }) => `${name}: ${why}`) };
  };
  assert.deepEqual(await follow(sound), { followed: 2, broken: [] });
  const dead = siteWith('<button>More</button>');
  assert.deepEqual(await follow(dead), {
    followed: 2,
    broken: ['more is shown: step 2 of 2 (see "Ten plans"): it is not there'],
  });
});

test('check: a page is refused that renders nothing where the live one has markup', async () => {
  await using temporary = await createTemporaryStore();
  const { store, objects } = temporary;
  const inspect = async (site: OfflineSite) => {
    const part = { part: 'mf-pricing', version: '1.1.0', remotes: new Map(), pictured: [] } as const;
    const page = { store, objects, site, liveSite: sound, ...part };
    const { tab, violations } = await inspectPage(browser, page, 'plain', new Pace());
    await tab?.[Symbol.asyncDispose]();
    return violations.map(({ text }) => text);
  };
  assert.deepEqual(await inspect(sound), []);
  assert.deepEqual(await inspect(siteWith('')), ['renders nothing: mf-pricing: ./plans']);
});
