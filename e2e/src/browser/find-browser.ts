import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { config } from '../config.ts';

/** Arguments of Chromium for tests and pictures. */
const browserArguments = [
  // Tests run as root on build machines, where Chromium's sandbox does not start.
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

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
  const candidates = [config.browserPath, chromium.executablePath(), ...pathsOf(commands), ...applications];
  return candidates.find((path) => path && existsSync(path));
}

/** Launch options of Playwright for the browser that is found. */
export function launchOptions(...additional: readonly string[]) {
  const executablePath = findBrowser();
  return { ...(executablePath ? { executablePath } : {}), args: [...browserArguments, ...additional] };
}

/** Path of a command with one of these names, if it is installed. */
export function findCommand(names: readonly string[]): string | undefined {
  return pathsOf(names).find((path) => existsSync(path));
}

const pathsOf = (names: readonly string[]): readonly string[] =>
  config.path.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
