import { join } from 'node:path';
import { browserArguments } from '@countersign/browser/browser-arguments';
import { findBrowser, type BrowserLocation } from '@countersign/browser/find-browser';
import { chromium, type Browser } from 'playwright-core';
import { errorMessage } from '../store/file-error.ts';
import { ReleaseError } from '../store/release-error.ts';

/** In megabytes, for the objects of one page. */
const heapLimit = 512;

const confinement = [
  `--js-flags=--max-old-space-size=${heapLimit}`,
  // Requests are answered before they need a name or a connection. What goes another way finds neither.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  // The headless shell knows the second one only.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/**
 * Opens a browser for code that is not trusted: without environment, network and profile, with limited memory, and in Chromium's own
 * sandbox unless the user is root. Throws a {@link ReleaseError} if there is none.
 */
export async function openBrowser(location: BrowserLocation): Promise<Browser> {
  const found = findBrowser(location);
  if (found === undefined) {
    const { browserPath } = location;
    const what =
      browserPath === undefined
        ? 'no Chromium is installed'
        : `BROWSER_PATH names ${browserPath}, which is not there`;
    throw new ReleaseError(
      `The page cannot be opened, because ${what}. Install one with "npm run browser", or set BROWSER_PATH to a Chromium or Chrome.`,
    );
  }
  const limited = process.platform !== 'win32';
  try {
    return await chromium.launch({
      executablePath: limited ? join(import.meta.dirname, 'limited-browser.sh') : found,
      env: limited ? { BROWSER: found } : {},
      args: [...browserArguments, ...confinement],
      chromiumSandbox: process.getuid?.() !== 0,
    });
  } catch (cause) {
    throw new ReleaseError(
      `The browser ${found} did not start. Set BROWSER_PATH to a Chromium or Chrome that does: ${errorMessage(cause)}`,
      { cause },
    );
  }
}
