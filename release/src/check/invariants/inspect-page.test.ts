import assert from 'node:assert/strict';
import { test } from 'node:test';
import { releaseDocumentElementId } from '@countersign/contracts/page-markup';
import { browserOfTests } from '../../testing/config.ts';
import { siteWithBody } from '../../testing/site-with-body.ts';
import { createTemporaryStore } from '../../testing/temporary-store.ts';
import { openBrowser } from '../browser/open-browser.ts';
import { Pace } from '../browser/pace.ts';
import { inspectPage } from './inspect-page.ts';

test('inspection: a page that renders nothing where the live one has markup is refused', async () => {
  await using browser = await openBrowser(browserOfTests);
  await using temporary = await createTemporaryStore();
  const { store, objects } = temporary;
  const siteWith = (markup: string) =>
    siteWithBody(`<body><main><div data-remote="mf-pricing" data-exposed="./plans">${markup}</div></main>
      <script type="application/json" id="${releaseDocumentElementId}">{ "mf-pricing": {} }</script></body>`);
  const liveSite = siteWith('<p>Ten plans</p>');
  const inspect = async (site: typeof liveSite) => {
    const part = { part: 'mf-pricing', version: '1.1.0', remotes: new Map(), pictured: [] } as const;
    const page = { store, objects, site, liveSite, ...part };
    const { tab, violations } = await inspectPage(browser, page, 'plain', new Pace());
    await tab?.[Symbol.asyncDispose]();
    return violations.map(({ text }) => text);
  };
  assert.deepEqual(await inspect(liveSite), []);
  assert.deepEqual(await inspect(siteWith('')), ['renders nothing: mf-pricing: ./plans']);
});
