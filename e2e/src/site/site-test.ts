import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { test as base, type Page } from '@playwright/test';
import { endSplashEarly, splashEnd } from '../driver/open-page.ts';
import { prepareOnce } from './prepare-once.ts';
import { makeDataDirectory, removeDirectory, type RunningSite, startSite } from './running-site.ts';

/** @public Named by the declarations of what extends it. */
export interface SiteOptions {
  /** Whether the splash lasts two seconds, as for visitors. By default it ends when the page is complete. */
  readonly fullSplash: boolean;
}

/** @public Named by the declarations of what extends it. */
export interface SiteFixtures {
  /** Opens a path of the site and waits until the splash is over. */
  readonly openSite: (path?: string) => Promise<Page>;
}

/** @public Named by the declarations of what extends it. */
export interface SiteWorkerFixtures {
  /** A site of this worker's own, started as `npm start` does, with the parts that the first worker has released. */
  readonly site: RunningSite;
}

/** Tests against the built parts, the local server, the lead service and its database. */
export const test = base.extend<SiteOptions & SiteFixtures, SiteWorkerFixtures>({
  fullSplash: [false, { option: true }],
  site: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern.
    async ({}, use, { project }) => {
      const released = join(project.outputDir, 'released-site');
      await prepareOnce(released, async () => (await startSite(released)).stop());
      const dataDirectory = await makeDataDirectory();
      const store = 'site';
      await cp(join(released, store), join(dataDirectory, store), {
        recursive: true,
        verbatimSymlinks: true,
      });
      const site = await startSite(dataDirectory);
      await use(site);
      await site.stop();
      await removeDirectory(dataDirectory);
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  context: async ({ context, fullSplash }, use) => {
    if (!fullSplash) await endSplashEarly(context);
    await use(context);
  },
  openSite: async ({ page, site }, use) => {
    await use(async (path = '/') => {
      await page.goto(`${site.url}${path}`);
      await splashEnd(page);
      return page;
    });
  },
});

export { expect } from '@playwright/test';
