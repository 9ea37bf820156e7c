import assert from 'node:assert/strict';
import { test } from 'node:test';
import { releaseDocumentElementId } from '@countersign/contracts/page-markup';
import { browserOfTests } from '../../testing/config.ts';
import { siteWithBody } from '../../testing/site-with-body.ts';
import { createTemporaryStore } from '../../testing/temporary-store.ts';
import { openBrowser } from '../browser/open-browser.ts';
import { Pace } from '../browser/pace.ts';
import { inspectPage } from './inspect-page.ts';

test('inspection: a page without its content is refused, but undecided if the live one has lost it too', async () => {
  await using browser = await openBrowser(browserOfTests);
  await using temporary = await createTemporaryStore();
  const { store, objects } = temporary;
  const siteWith = (style: () => string) =>
    siteWithBody(
      `<body><link rel="stylesheet" href="/page.css"><main><div data-remote="mf-pricing" data-exposed="./plans">Ten plans</div></main>
        <script type="application/json" id="${releaseDocumentElementId}">{ "mf-pricing": {} }</script></body>`,
      { '/page.css': style },
    );
  const [whole, hidden] = [() => '', () => '[data-remote] { display: none }'];
  let liveStyle = whole;
  const liveSite = siteWith(() => liveStyle());
  const inspect = async (style: () => string) => {
    const part = { part: 'mf-pricing', version: '1.1.0', remotes: new Map(), pictured: [] } as const;
    const page = { store, objects, site: siteWith(style), liveSite, ...part };
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
});
