import { remoteNames } from '@countersign/contracts/remotes';
import { expectNothingTampered, expectWholePage } from '../checks/expect-whole-page.ts';
import { expect, test } from '../site/site-test.ts';
import { entryBundle, tamperWith } from '../driver/open-page.ts';

test('entry bundle: a modified one does not run, and each part loads its own entry', async ({ page }) => {
  const requested = new Set<string>();
  page.on('request', (request) => {
    const [, part] = /\/(mf-[\w-]+)\/[^/]+\/entry\.\w+\.js$/.exec(request.url()) ?? [];
    if (part !== undefined) requested.add(part);
  });
  await tamperWith(page, entryBundle, (content) => `globalThis.tampered = 1;${content}`);
  await page.goto('/');
  await expectWholePage(page);
  await expectNothingTampered(page);
  expect([...requested].sort()).toEqual([...remoteNames].sort());
});
