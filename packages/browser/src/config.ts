import type { BrowserLocation } from './find-browser.ts';

/** Where the environment says that a browser is. */
export const config: BrowserLocation = {
  browserPath: process.env['BROWSER_PATH'],
  path: process.env['PATH'] ?? '',
};

/** Environment of commands that install a browser. Playwright gives up on a server that does not answer for `connectionLimit` seconds. */
export function environmentOfDownloads(connectionLimit: number): NodeJS.ProcessEnv {
  return { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: String(connectionLimit * 1000) };
}
