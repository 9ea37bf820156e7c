import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { config } from '../config.ts';

/** Chromium without windows comes first, because a visit with it takes two thirds of the time. */
const commands = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];
const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Path of a browser to test with: `BROWSER_PATH`, Playwright's own, or one of the system's. */
export function findBrowser(): string | undefined {
  const installed = config.path
    .split(delimiter)
    .flatMap((folder) => commands.map((name) => join(folder, name)));
  const candidates = [config.browserPath, chromium.executablePath(), ...installed, ...applications];
  return candidates.find((path) => path && existsSync(path));
}
