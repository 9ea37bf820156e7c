import type { BrowserLocation } from './find-browser.ts';

/** Where the environment says that a browser is. */
export const config: BrowserLocation = {
  browserPath: process.env['BROWSER_PATH'],
  path: process.env['PATH'] ?? '',
};
