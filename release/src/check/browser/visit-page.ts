import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { summarizeList } from '../../platform/summarize-list.ts';
import { openIsolatedWorld, PageFailure, type IsolatedWorld } from './isolated-world.ts';
import { serveSite, type ServedSite } from './served-site.ts';
import { visitors, type Visitor } from './visitors.ts';
import { translateDocument, watchDocument } from './watch-document.ts';

/** A slot of the page. */
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

/** How long a page may take to become quiet, in milliseconds. */
const settleLimit = 30_000;
/** In milliseconds. */
const pollInterval = 25;
const quietTime = 150;
/** How long a page may have slots without code while nothing happens: after an error, and without one. In milliseconds. */
const brokenTime = 1500;
const stalledTime = 5000;

/** Opens the page of a site, uses each slot, and waits until it is quiet. Rejects with a {@link PageFailure} if it cannot. */
export async function visitPage(browser: Browser, site: ServedSite, visitor: Visitor): Promise<Visit> {
  const context = await browser.newContext(visitor.settings);
  const page = await context.newPage();
  const errors: string[] = [];
  const refused: string[] = [];
  const refuse = (what: string) => void (refused.length < 20 && refused.push(what.slice(0, 300)));
  watchErrors(page, errors, refuse);
  await page.addInitScript(keepConsole);
  refuseSideDoors(context, page, refuse);
  const requests = await serveSite(page, site, refuse);
  const before = visitor === visitors.translated ? [watchDocument, translateDocument] : [watchDocument];
  const world = await openIsolatedWorld(page, before);
  await visitor.prepare?.(page);
  try {
    await page.goto(`${site.origin}/`, { waitUntil: 'domcontentloaded', timeout: settleLimit });
  } catch (cause) {
    // Says why a file could not be read, which is why the page did not open.
    requests.isQuietFor(0);
    throw new PageFailure(`does not let the page open within ${settleLimit / 1000} s`, { cause });
  }
  const end = performance.now() + settleLimit;
  const quiet = async (time: number) => {
    while (!requests.isQuietFor(time) && performance.now() < end) {
      await delay(pollInterval);
      // Answers only when no script runs.
      await world.run(() => undefined);
    }
    if (!requests.isQuietFor(time)) throw new PageFailure('requests files without an end');
  };
  await quiet(quietTime);
  const firstFiles = [...requests.served];
  const isPlain = visitor.settings.javaScriptEnabled === false;
  for (let isSettled = isPlain; !isSettled && performance.now() < end;) {
    const slots = await world.run(useSlots, site.remotes);
    const isComplete = slots.every(({ version }) => version !== undefined);
    const patience = errors.length + refused.length > 0 ? brokenTime : stalledTime;
    isSettled = requests.isQuietFor(isComplete ? quietTime : patience);
    await delay(pollInterval);
  }
  if (!isPlain) {
    await world.run(showEverything);
    await quiet(quietTime);
  }
  const slots = await world.run(useSlots, site.remotes);
  const byPolicy = await world.run(() => [...(globalThis.refusals ?? [])]);
  if (byPolicy.length > 0) {
    const list = summarizeList(byPolicy.map(([what, reason]) => `${what} (${reason})`));
    refused.unshift(`asks for what browsers refuse under the page's policy: ${list}`);
  }
  return {
    visitor,
    page,
    world,
    slots,
    errors,
    refused,
    firstFiles,
  };
}

function watchErrors(page: Page, errors: string[], refuse: (what: string) => void): void {
  const record = (text: string) =>
    void (errors.length < 20 && errors.push((text.split('\n', 1)[0] ?? '').slice(0, 300)));
  page.on('pageerror', (error) => record(String(error)));
  page.on('console', (message) => {
    const text = message.text();
    if (/Service Worker registration blocked/.test(text)) refuse('registers a service worker');
    // Of these, there is a report of their own.
    if (message.type() !== 'error' || /Content Security Policy|ERR_BLOCKED_BY_CLIENT/.test(text)) return;
    if (/'integrity' attribute|Integrity-Policy/.test(text)) refuse(`breaks the page's integrity: ${text}`);
    else record(text);
  });
}

/** Runs in the page before its scripts: keeps the function that errors are logged with, so that no part can hide them. */
function keepConsole(): void {
  const { error } = console;
  Object.defineProperty(console, 'error', { get: () => error, set: () => undefined, configurable: false });
}

/** Refuses what leads out of the page. */
function refuseSideDoors(context: BrowserContext, page: Page, refuse: (what: string) => void): void {
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

/** Runs in the page: begins to use each slot that has no code yet, ends the splash, and describes the slots. */
function useSlots(remotes: readonly string[]): readonly SlotState[] {
  dispatchEvent(new Event('end-splash'));
  const all = [...document.querySelectorAll<HTMLElement>('[data-remote]')];
  const filled = all.filter(({ dataset }) => remotes.includes(dataset['remote'] ?? ''));
  return filled.map((slot) => {
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
