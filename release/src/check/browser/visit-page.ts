import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { summarizeList } from '../summarize-list.ts';
import { openIsolatedWorld, PageFailure, type IsolatedWorld } from './isolated-world.ts';
import { answerFromSite, type OfflineSite } from './offline-site.ts';
import { settlePage } from './settle-page.ts';
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
  /** Waits until the page is quiet again, such as after a change of the window. Rejects with a {@link PageFailure} if it is not in time. */
  settle(): Promise<void>;
}

/** In milliseconds. */
const settleLimit = 30_000;
const pollInterval = 25;
/** A page without a request for this time is quiet, in milliseconds. */
const quietTime = 150;
/** The same while a slot is still without code, because it may yet load: after an error, and without one. */
const quietTimeAfterError = 1500;
const quietTimeWithoutCode = 5000;
/** Age of a page at which it is looked at, because parts may show something late. In milliseconds. */
const minAge = 4000;
/** How long the check waits for an idle browser, because some pages compute all the time. In milliseconds. */
const idleLimit = 1000;

/**
 * Opens the page of a site as a visitor, waits until it is quiet, uses its slots until all run code or nothing more happens,
 * shows every section, and waits until the page has settled. Rejects with a {@link PageFailure} if the page does not open, never
 * becomes quiet, does not settle or stops answering.
 *
 * @param limit how long the page may take to open, and then to settle, in milliseconds
 */
export async function visitPage(
  browser: Browser,
  site: OfflineSite,
  visitor: Visitor,
  limit = settleLimit,
): Promise<Visit> {
  const context = await browser.newContext(visitor.settings);
  const page = await context.newPage();
  const errors: string[] = [];
  const refused: string[] = [];
  const refuse = (what: string) => void (refused.length < 20 && refused.push(what.slice(0, 300)));
  watchErrors(page, errors, refuse);
  await page.addInitScript(freezeConsoleError);
  refuseExits(context, page, refuse);
  const requests = await answerFromSite(page, site, refuse);
  const isTranslated = visitor === visitors.translated;
  const world = await openIsolatedWorld(page, [watchDocument, ...(isTranslated ? [translateDocument] : [])]);
  await visitor.prepare?.(page);
  try {
    await page.goto(`${site.origin}/`, { waitUntil: 'domcontentloaded', timeout: limit });
  } catch (cause) {
    // Throws if the page did not open because a file could not be read.
    requests.isQuietFor(0);
    throw new PageFailure(`does not let the page open within ${limit / 1000} s`, { cause });
  }
  const opened = performance.now();
  const runsScripts = visitor.settings.javaScriptEnabled !== false;
  const becomeQuiet = async (end: number) => {
    while (!requests.isQuietFor(quietTime)) {
      if (performance.now() > end) throw new PageFailure('requests files without an end');
      await delay(pollInterval);
      // Answers only when no script runs. Scripts that have come are compiled and run by then, and have requested others.
      if (runsScripts) await world.run(whenIdle, idleLimit);
      else await world.run(() => undefined);
    }
  };
  const settle = async () => {
    const end = performance.now() + limit;
    let known: number;
    do {
      if (performance.now() > end) throw notSettled(limit);
      known = requests.served.length;
      await settlePage(world);
      await becomeQuiet(end);
      // Files that have come meanwhile change the page.
    } while (requests.served.length > known);
  };
  const end = performance.now() + limit;
  await becomeQuiet(end);
  const firstFiles = [...requests.served];
  for (let isUsed = !runsScripts; !isUsed;) {
    if (performance.now() > end) throw notSettled(limit);
    const slots = await world.run(useSlots, site.remotes);
    const isComplete = slots.every(({ version }) => version !== undefined);
    const hasErrors = errors.length + refused.length > 0;
    const neededTime = isComplete ? quietTime : hasErrors ? quietTimeAfterError : quietTimeWithoutCode;
    isUsed = requests.isQuietFor(neededTime);
    await delay(pollInterval);
  }
  if (runsScripts) {
    // What the browser has refused is a reason to refuse the page, whatever it shows later.
    if (refused.length === 0) await delay(Math.max(0, opened + minAge - performance.now()));
    await world.run(showEverything);
    await settle();
  }
  await world.run(releaseShadowingFields);
  const slots = await world.run(useSlots, site.remotes);
  const byPolicy = await world.run(() => [...(globalThis.refusals ?? [])]);
  if (byPolicy.length > 0) {
    const list = summarizeList(byPolicy.map(([what, reason]) => `${what} (${reason})`));
    refused.unshift(`asks for what browsers refuse under the page's policy: ${list}`);
  }
  return { visitor, page, world, slots, errors, refused, firstFiles, settle };
}

function notSettled(limit: number): PageFailure {
  return new PageFailure(`does not let the page settle within ${limit / 1000} s`);
}

function watchErrors(page: Page, errors: string[], refuse: (what: string) => void): void {
  const record = (text: string) =>
    void (errors.length < 20 && errors.push((text.split('\n', 1)[0] ?? '').slice(0, 300)));
  page.on('pageerror', (error) => record(String(error)));
  page.on('console', (message) => {
    const text = message.text();
    if (/Service Worker registration blocked/.test(text)) refuse('registers a service worker');
    // The browser's own refusals are recorded by `watchDocument`, and aborted requests by `answerFromSite`.
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
      const press = new PointerEvent('pointerdown', { bubbles: true });
      // Not as a property, because a form with a field of this name would hide it.
      EventTarget.prototype.dispatchEvent.call(slot.firstElementChild ?? slot, press);
    }
    const isBlank = slot.textContent.trim() === '' && !slot.querySelector('img, svg');
    return { remote, exposed, version: state === 'running' ? version : undefined, isBlank };
  });
}

/** Runs in the page. */
function whenIdle(timeout: number): Promise<void> {
  return new Promise((done) => {
    requestIdleCallback(() => done(), { timeout });
  });
}

/** Runs in the page: lays out sections that the browser skips far from the window. */
function showEverything(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { content-visibility: visible !important; caret-color: transparent !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/**
 * Runs in the page: takes fields out of their form whose name hides a property of it, such as `children`. Otherwise the rules, and
 * axe, would find the field in place of the property.
 */
function releaseShadowingFields(): void {
  for (const field of document.querySelectorAll('form :is([name], [id])')) {
    const names = ['name', 'id'].map((attribute) => field.getAttribute(attribute) ?? '');
    if (names.some((name) => name in HTMLFormElement.prototype)) field.setAttribute('form', '');
  }
}
