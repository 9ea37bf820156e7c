import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { browserArguments } from '@countersign/browser/browser-arguments';
import { findBrowser, type BrowserLocation } from '@countersign/browser/find-browser';
import { chromium, type Browser } from 'playwright-core';
import { errorMessage } from '../../platform/errors.ts';
import { ReleaseError } from '../../platform/release-error.ts';

/** In megabytes, for the objects of one page. */
const heapLimit = 512;

const confinement = [
  `--js-flags=--max-old-space-size=${heapLimit}`,
  // Requests are answered before they need a name or a connection. Other connections find neither.
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
  try {
    return await chromium.launch({
      executablePath: join(import.meta.dirname, 'limited-browser.sh'),
      env: { BROWSER: found },
      args: [...browserArguments, ...confinement],
      chromiumSandbox: process.getuid?.() !== 0,
    });
  } catch (cause) {
    const printed = stripVTControlCharacters(errorMessage(cause));
    throw new ReleaseError(`The browser ${found} did not start${explainFailure(printed)}`, { cause });
  }
}

/** The cause of a failed start, and what to do. Playwright's own advice would turn the sandbox off. */
function explainFailure(printed: string): string {
  if (printed.includes('mkdtemp')) {
    return `, because the folder for temporary files, ${tmpdir()}, cannot be written. Set TMPDIR to one that this user may write.`;
  }
  if (/no usable sandbox|setuid sandbox|SUID sandbox/i.test(printed)) {
    return ', because this system lets it create no sandbox. Allow it user namespaces, with an AppArmor profile for it, or with "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0".';
  }
  const [, library] = /loading shared libraries: ([^:\s]+)/.exec(printed) ?? [];
  if (library !== undefined) {
    return `, because the library ${library} is missing. Install what it needs with "npx playwright-core install-deps chromium".`;
  }
  const [, line = printed.split('\n', 1)[0]] = /\[err\] (.+)/.exec(printed) ?? [];
  return `: ${line} Set BROWSER_PATH to a Chromium or Chrome that starts, or remove it.`;
}
