/** `npm run pictures`: writes pictures of the page as it is now, in both themes and at two sizes, for the README. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { browserArguments } from './browser-arguments.ts';
import { findBrowser } from './find-browser.ts';
import { makeDataDirectory, projectDirectory, removeDirectory, startSite } from './running-site.ts';

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;
const themes = ['light', 'dark'] as const;
const folder = join(projectDirectory, 'docs', 'pictures');

const executablePath = findBrowser();
const dataDirectory = await makeDataDirectory();
const site = await startSite(dataDirectory);
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: browserArguments,
});
try {
  await mkdir(folder, { recursive: true });
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const theme of themes) {
      const page = await browser.newPage({ viewport, colorScheme: theme, reducedMotion: 'reduce' });
      await page.goto(site.url);
      await page.locator('#splash').waitFor({ state: 'detached' });
      const path = join(folder, `page-${size}-${theme}.png`);
      await page.screenshot({ path, fullPage: true });
      await page.close();
      console.log(`wrote ${path}`);
    }
  }
} finally {
  await browser.close();
  await site.stop();
  await removeDirectory(dataDirectory);
}
