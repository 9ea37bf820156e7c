/**
 * `npm run pictures`: writes the pictures of the README, in both themes. `npm run pictures -- <folder>` writes all sizes
 * to that folder, for a review of the design.
 */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readArguments } from '@countersign/contracts/arguments';
import { chromium } from '@playwright/test';
import { launchOptions } from './browser/launch-options.ts';
import { config } from './config.ts';
import { makeDataDirectory, projectDirectory, removeDirectory, startSite } from './site/running-site.ts';

interface Size {
  readonly name: string;
  /** Of the window, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Pixels of the picture for each CSS pixel. */
  readonly scale: number;
}

/** No larger than the README shows them, because Git keeps each version. */
const readmeSizes: readonly Size[] = [
  { name: 'desktop', width: 1280, height: 800, scale: 0.5 },
  { name: 'phone', width: 390, height: 844, scale: 0.75 },
];

/** A phone, a tablet and a desktop. */
const allSizes: readonly Size[] = [
  { name: '390', width: 390, height: 844, scale: 1 },
  { name: '820', width: 820, height: 1180, scale: 1 },
  { name: '1440', width: 1440, height: 900, scale: 1 },
];

const [requestedFolder] = readArguments('npm run pictures [-- <folder>]', [0, 1]).positionals;
const folder = requestedFolder
  ? resolve(config.callersFolder, requestedFolder)
  : join(projectDirectory, 'docs', 'pictures');

const dataDirectory = await makeDataDirectory();
const site = await startSite(dataDirectory);
const browser = await chromium.launch(launchOptions());
try {
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const { name, width, height, scale } of requestedFolder ? allSizes : readmeSizes) {
      const page = await browser.newPage({
        viewport: { width, height },
        deviceScaleFactor: scale,
        colorScheme,
        reducedMotion: 'reduce',
      });
      await page.goto(site.url);
      await page.locator('#splash').waitFor({ state: 'detached' });
      const path = join(folder, `page-${name}-${colorScheme}.png`);
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
