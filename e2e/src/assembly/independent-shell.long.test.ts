import { remoteNames } from '@countersign/contracts/remotes';
import { buildAlone, publishAndPromote } from '../site/build-alone.ts';
import { copyProject, makeDataDirectory, removeDirectory, serveStore } from '../site/running-site.ts';
import { expect, test } from '../site/site-test.ts';
import { splashEnd } from '../driver/splash-end.ts';

test('independent build: the shell alone shows empty slots, without errors', async ({ page }) => {
  test.slow();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  const workspace = await copyProject(['shell', 'tsconfig.base.json']);
  const dataDirectory = await makeDataDirectory();
  try {
    const built = await buildAlone(workspace, 'shell', '99.0.0');
    await publishAndPromote(dataDirectory, 'shell', '99.0.0', built);
    const site = await serveStore(dataDirectory);
    try {
      await page.goto(site.url);
      await splashEnd(page);
      const slots = await page.locator('[data-remote]').evaluateAll((elements) =>
        elements.map((element) => ({
          remote: element.getAttribute('data-remote'),
          version: element.getAttribute('data-version'),
          markup: element.innerHTML,
        })),
      );
      expect([...new Set(slots.map(({ remote }) => remote))].sort()).toEqual([...remoteNames].sort());
      expect(slots.filter(({ version, markup }) => version !== null || markup !== '')).toEqual([]);
      expect(faults).toEqual([]);
    } finally {
      expect(await site.stop()).toBe(0);
    }
  } finally {
    await removeDirectory(dataDirectory);
    await removeDirectory(workspace);
  }
});
