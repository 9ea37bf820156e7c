import type { Page } from 'playwright-core';
import { PageFailure } from './page-failure.ts';

/** Gets what a page does. */
interface Reporter {
  report(violation: string): void;
  /** The page has failed as a whole. */
  fail(failure: PageFailure): void;
}

/** Reports what no page may do, from now on. */
export function noteViolations(page: Page, tab: Reporter): void {
  page.on('crash', () => tab.fail(new PageFailure('crashes the page, or needs too much memory')));
  page.on('pageerror', (error) => tab.report(`causes an error: ${String(error)}`));
  page.on('console', (message) => {
    const text = message.text();
    if (/Service Worker registration blocked/.test(text)) tab.report('registers a service worker');
    // Requests that fail are reported where they are answered.
    if (message.type() !== 'error' || /^Failed to load resource/.test(text)) return;
    tab.report(`causes an error: ${text}`);
  });
  page.context().on('page', (other) => {
    if (other === page) return;
    tab.report('opens a window');
    other.close().catch(() => undefined);
  });
  page.on('download', () => tab.report('starts a download'));
  page.on('dialog', (dialog) => {
    tab.report(`shows a dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => undefined);
  });
  page.on('worker', () => tab.report('starts a worker'));
}
