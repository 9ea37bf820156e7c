import type { Page } from 'playwright-core';
import { PageFailure } from './page-failure.ts';

/** Receives the violations and the failure of a page. */
interface Reporter {
  report(violation: string): void;
  /** The page has failed as a whole. */
  fail(failure: PageFailure): void;
}

/** Reports violations of the page from now on. */
export function reportViolations(page: Page, reporter: Reporter): void {
  page.on('crash', () => reporter.fail(new PageFailure('crashes the page, or needs too much memory')));
  page.on('pageerror', (error) => reporter.report(`causes an error: ${String(error)}`));
  page.on('console', (message) => {
    const text = message.text();
    if (/Service Worker registration blocked/.test(text)) reporter.report('registers a service worker');
    // Requests that fail are reported where they are answered.
    if (message.type() !== 'error' || /^Failed to load resource/.test(text)) return;
    reporter.report(`causes an error: ${text}`);
  });
  page.context().on('page', (other) => {
    if (other === page) return;
    reporter.report('opens a window');
    other.close().catch(() => undefined);
  });
  page.on('download', () => reporter.report('starts a download'));
  page.on('dialog', (dialog) => {
    reporter.report(`shows a dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => undefined);
  });
  page.on('worker', () => reporter.report('starts a worker'));
}
