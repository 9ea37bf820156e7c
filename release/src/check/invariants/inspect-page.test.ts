import assert from 'node:assert/strict';
import { test } from 'node:test';
import { releaseDocumentElementId } from '@countersign/contracts/page-markup';
import type { RemoteName } from '@countersign/contracts/remotes';
import { browserOfTests } from '../../testing/config.ts';
import { siteWithBody } from '../../testing/site-with-body.ts';
import { createTemporaryStore } from '../../testing/temporary-store.ts';
import { openBrowser } from '../browser/open-browser.ts';
import { Pace } from '../browser/pace.ts';
import { inspectPage } from './inspect-page.ts';

/** A page with a slot of mf-pricing. */
const siteWith = (style: () => string) =>
  siteWithBody(
    `<body><link rel="stylesheet" href="/page.css"><main><div data-remote="mf-pricing" data-exposed="./plans">Ten plans</div></main>
      <script type="application/json" id="${releaseDocumentElementId}">{ "mf-pricing": {} }</script></body>`,
    { '/page.css': style },
  );

test('inspection: lost content is refused, or undecided if the live page lost it', async () => {
  await using browser = await openBrowser(browserOfTests);
  await using temporary = await createTemporaryStore();
  const { store } = temporary;
  const [whole, hidden] = [() => '', () => '[data-remote] { display: none }'];
  let liveStyle = whole;
  const liveSite = siteWith(() => liveStyle());
  const inspect = async (style: () => string) => {
    const part = { part: 'mf-pricing', version: '1.1.0', remotes: new Map(), pictured: [] } as const;
    const versions = { 'mf-pricing': '1.1.0' };
    const page = { store, site: siteWith(style), liveSite, ...part, versions };
    const { tab, violations, undecided } = await inspectPage(browser, page, 'plain', new Pace());
    await tab?.[Symbol.asyncDispose]();
    return { violations: violations.map(({ text }) => text), undecided };
  };
  const violation = 'renders nothing: mf-pricing: ./plans';
  assert.deepEqual(await inspect(whole), { violations: [], undecided: [] });
  assert.deepEqual(await inspect(hidden), { violations: [violation], undecided: [] });
  liveStyle = hidden;
  const alsoLive = `the live page does so, too: it ${violation} (for a visitor with no scripts)`;
  assert.deepEqual(await inspect(hidden), { violations: [], undecided: [alsoLive] });
  liveStyle = whole;
  assert.deepEqual(await inspect(hidden), { violations: [violation], undecided: [] });
});

test('inspection: the live page is observed once for each part, or again if it has failed', async () => {
  await using browser = await openBrowser(browserOfTests);
  await using temporary = await createTemporaryStore();
  const { store } = temporary;
  let opened = 0;
  let failures = 0;
  const site = siteWith(() => `/* opened ${(opened += 1)} times */`);
  const read = async (path: string) => ((failures -= 1) < 0 ? site.read(path) : undefined);
  const liveSite = { ...site, read };
  const inspect = async (part: RemoteName) => {
    const page = {
      part,
      version: '1.1.0',
      remotes: new Map(),
      pictured: [],
      versions: { [part]: '1.1.0' },
    } as const;
    const checked = { store, site: siteWith(() => ''), liveSite, ...page };
    const { tab, isCompared } = await inspectPage(browser, checked, 'plain', new Pace());
    await tab?.[Symbol.asyncDispose]();
    assert.equal(isCompared, failures < 0);
    return opened;
  };
  assert.equal(await inspect('mf-pricing'), 1);
  assert.equal(await inspect('mf-header'), 2);
  assert.equal(await inspect('mf-pricing'), 2);
  // Of one attempt.
  failures = 3;
  assert.equal(await inspect('mf-leads'), 3);
  failures = Infinity;
  assert.equal(await inspect('mf-content'), 3);
});
