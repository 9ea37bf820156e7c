import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { summarizeList } from '../../platform/summarize-list.ts';
import { openIsolatedWorld, PageFailure, type IsolatedWorld } from './isolated-world.ts';
import { serveSite, type ServedSite } from './served-site.ts';
import { visitors, type Visitor } from './visitors.ts';
import { translateDocument, watchDocument } from './watch-document.ts';

export interface SlotState {
  readonly remote: string;
  readonly exposed: string;
  /** The version whose code runs in it. */
  readonly version: string | undefined;
  readonly isBlank: boolean;
}

/** A page that a visitor has opened and used, when it has become quiet. */
export interface Visit {
  readonly visitor: Visitor;
  readonly page: Page;
  readonly world: IsolatedWorld;
  readonly slots: readonly SlotState[];
  /** Uncaught and logged errors. */
  readonly errors: readonly string[];
  /** Refusals of the browser, and attempts to leave the page, as predicates: `opens a window`. */
  readonly refused: readonly string[];
  /** Paths of the files that the browser loads for a visitor who does nothing. */
  readonly firstFiles: readonly string[];
}

/** How long a page may take to open, and then to settle, in milliseconds. */
const settleLimit = 30_000;
/** In milliseconds. */
const pollInterval = 25;
/** A page without a request for this time is quiet, in milliseconds. */
const quietTime = 150;
/** The same while a slot is still without code, because it may yet load: after an error, and without one. */
const quietTimeAfterError = 1500;
const quietTimeWithoutCode = 5000;

/**
 * Opens the page of a site as a visitor, waits until it is quiet, uses its slots until all run code or nothing more happens, and
 * then shows every section. Rejects with a {@link PageFailure} if the page does not open, never becomes quiet or stops answering.
 */
export async function visitPage(browser: Browser, site: ServedSite, visitor: Visitor): Promise<Visit> {
  const context = await browser.newContext(visitor.settings);
  const page = await context.newPage();
  const errors: string[] = [];
  const refused: string[] = [];
  const refuse = (what: string) => void (refused.length < 20 && refused.push(what.slice(0, 300)));
  watchErrors(page, errors, refuse);
  await page.addInitScript(freezeConsoleError);
  refuseExits(context, page, refuse);
  const requests = await serveSite(page, site, refuse);
  const isTranslated = visitor === visitors.translated;
  const world = await openIsolatedWorld(page, [watchDocument, ...(isTranslated ? [translateDocument] : [])]);
  await visitor.prepare?.(page);
  try {
    await page.goto(`${site.origin}/`, { waitUntil: 'domcontentloaded', timeout: settleLimit });
  } catch (cause) {
    // Throws if the page did not open because a file could not be read.
    requests.isQuietFor(0);
    throw new PageFailure(`does not let the page open within ${settleLimit / 1000} s`, { cause });
  }
  const end = performance.now() + settleLimit;
  const becomeQuiet = async () => {
    while (!requests.isQuietFor(quietTime) && performance.now() < end) {
      await delay(pollInterval);
      // Waits for running scripts, which may request more.
      await world.run(() => undefined);
    }
    if (!requests.isQuietFor(quietTime)) throw new PageFailure('requests files without an end');
  };
  await becomeQuiet();
  const firstFiles = [...requests.served];
  const runsScripts = visitor.settings.javaScriptEnabled !== false;
  for (let isSettled = !runsScripts; !isSettled && performance.now() < end;) {
    const slots = await world.run(useSlots, site.remotes);
    const isComplete = slots.every(({ version }) => version !== undefined);
    const hasErrors = errors.length + refused.length > 0;
    const neededTime = isComplete ? quietTime : hasErrors ? quietTimeAfterError : quietTimeWithoutCode;
    isSettled = requests.isQuietFor(neededTime);
    await delay(pollInterval);
  }
  if (runsScripts) {
    await world.run(showEverything);
    await becomeQuiet();
  }
  const slots = await world.run(useSlots, site.remotes);
  const byPolicy = await world.run(() => [...(globalThis.refusals ?? [])]);
  if (byPolicy.length > 0) {
    const list = summarizeList(byPolicy.map(([what, reason]) => `${what} (${reason})`));
    refused.unshift(`asks for what browsers refuse under the page's policy: ${list}`);
  }
  return { visitor, page, world, slots, errors, refused, firstFiles };
}

function watchErrors(page: Page, errors: string[], refuse: (what: string) => void): void {
  const record = (text: string) =>
    void (errors.length < 20 && errors.push((text.split('\n', 1)[0] ?? '').slice(0, 300)));
  page.on('pageerror', (error) => record(String(error)));
  page.on('console', (message) => {
    const text = message.text();
    if (/Service Worker registration blocked/.test(text)) refuse('registers a service worker');
    // The browser's own refusals are recorded by `watchDocument`, and aborted requests by `serveSite`.
    if (message.type() !== 'error' || /Content Security Policy|ERR_BLOCKED_BY_CLIENT/.test(text)) return;
    if (/'integrity' attribute|Integrity-Policy/.test(text)) refuse(`breaks the page's integrity: ${text}`);
    else record(text);
  });
}

/** Runs in the page before its scripts: makes `console.error` read-only, so that no part can hide logged errors. */
function freezeConsoleError(): void {
  const { error } = console;
  Object.defineProperty(console, 'error', { get: () => error, set: () => undefined, configurable: false });
}

/** Refuses windows, downloads, dialogs and workers. */
function refuseExits(context: BrowserContext, page: Page, refuse: (what: string) => void): void {
  context.on('page', (other) => {
    if (other === page) return;
    refuse('opens a window');
    other.close().catch(() => undefined);
  });
  page.on('download', () => refuse('starts a download'));
  page.on('dialog', (dialog) => {
    refuse(`shows a dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => undefined);
  });
  page.on('worker', () => refuse('starts a worker'));
}

/** Runs in the page: ends the splash, presses in each slot that has no code yet, so that it loads, and describes the slots. */
function useSlots(remotes: readonly string[]): readonly SlotState[] {
  dispatchEvent(new Event('end-splash'));
  const all = [...document.querySelectorAll<HTMLElement>('[data-remote]')];
  const released = all.filter(({ dataset }) => remotes.includes(dataset['remote'] ?? ''));
  return released.map((slot) => {
    const { remote = '', exposed = '', version, state = 'running' } = slot.dataset;
    if (version === undefined) {
      (slot.firstElementChild ?? slot).dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    }
    const isBlank = slot.textContent.trim() === '';
    return { remote, exposed, version: state === 'running' ? version : undefined, isBlank };
  });
}

/** Runs in the page: lays out sections that the browser skips far from the window, and ends the animations. */
async function showEverything(): Promise<void> {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { content-visibility: visible !important; caret-color: transparent !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  await document.fonts.ready;
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  }
  await new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));
}
