import { setTimeout as delay } from 'node:timers/promises';
import { themeStorageKey } from '@countersign/contracts/shell-api';
import type { Browser, Page, Request, Route } from 'playwright-core';
import { pageFiles } from '../../page/page-files.ts';
import { ReleaseError } from '../../store/release-error.ts';
import { contentTypeOf } from '../../page/content-types.ts';
import { Leads } from './answer-leads.ts';
import type { OfflineSite } from './offline-site.ts';
import { visitors, type VisitorName } from './visitors.ts';

/** The page has crashed, its scripts run for ever, or it does not open. The message is a predicate of the part. */
export class PageFailure extends Error {}

/** A page in a browser without a network, and what has happened in it. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  readonly site: OfflineSite;
  /** Errors, and what a page must not do, as its predicates: `opens a window`. */
  readonly problems: readonly string[];
  /** Addresses that navigations led to. None of them was opened. */
  readonly departures: readonly string[];
  /** Paths of the files and answers that were sent. */
  readonly served: readonly string[];
  readonly leads: Leads;
  /**
   * Opens a path. Rejects with a {@link PageFailure}.
   *
   * @param isPatient waits for the end of the splash, and for what parts show late. Others end the splash.
   */
  open(path?: string, isPatient?: boolean): Promise<void>;
  /** Rejects with a {@link PageFailure} as soon as the page has crashed or answers no more, in place of `work`. */
  guard<Result>(work: Promise<Result>): Promise<Result>;
}

/** In milliseconds: for a page to open, to answer, and to be uncovered, for the work of a `guard`, and for the parts to start. */
const openLimit = 15_000;
const answerLimit = 15_000;
const uncoverLimit = 6_000;
const workLimit = 50_000;
const startLimit = 3_000;
/** How long a patient visitor waits for what parts show late, in milliseconds. */
const patience = 3_500;
/** Number of problems, and of their characters, that are kept. */
const maxProblems = 20;
const maxLength = 300;

/** Opens a tab for a visitor, whose requests a site answers without a server. {@link OpenPage.open} loads the page. */
export async function openPage(browser: Browser, site: OfflineSite, name: VisitorName): Promise<OpenPage> {
  const { settings, before = [], isEarly = false } = visitors[name];
  const context = await browser.newContext({
    acceptDownloads: false,
    permissions: [],
    serviceWorkers: 'block',
    ...settings,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  const departures: string[] = [];
  const served: string[] = [];
  const leads = new Leads();
  const report = (what: string) =>
    void (problems.length < maxProblems && problems.push((what.split('\n', 1)[0] ?? '').slice(0, maxLength)));
  watchProblems(page, report);
  for (const script of before) await page.addInitScript(script, themeStorageKey);

  /** Address of the navigation that is awaited. */
  let opening: string | undefined;
  let stopOpening: ((failure: PageFailure) => void) | undefined;
  const depart = (address: string) => {
    if (address !== opening) {
      stopOpening?.(new PageFailure(`leaves the page: ${address}`));
      departures.push(address);
      return true;
    }
    opening = undefined;
    return false;
  };
  await serveSite(page, site, { served, leads, report, depart });

  const runsScripts = settings.javaScriptEnabled !== false;
  const open: OpenPage['open'] = async (path = '/', isPatient = false) => {
    opening = `${site.origin}${path}`;
    const stopped = Promise.withResolvers<never>();
    stopOpening = stopped.reject;
    try {
      const waitUntil = runsScripts && !isEarly ? 'load' : 'domcontentloaded';
      await Promise.race([page.goto(opening, { waitUntil, timeout: openLimit }), stopped.promise]);
    } catch (cause) {
      if (cause instanceof PageFailure) throw cause;
      throw new PageFailure(`does not let the page open within ${openLimit / 1000} s`, { cause });
    } finally {
      opening = stopOpening = undefined;
    }
    if (runsScripts) await waitUntilUsable(page, isEarly, isPatient);
  };

  const failure = Promise.withResolvers<never>();
  // Between two calls nothing awaits it.
  failure.promise.catch(() => undefined);
  const fail = (text: string) => failure.reject(new PageFailure(text));
  page.on('crash', () => fail('crashes the page, or needs too much memory'));
  if (runsScripts) void watchAnswers(page, fail);
  return {
    ...{ page, site, problems, departures, served, leads, open },
    async guard(work) {
      work.catch(() => undefined);
      const timer = setTimeout(fail, workLimit, `keeps the page busy for ${workLimit / 1000} s`);
      try {
        return await Promise.race([work, failure.promise]);
      } catch (error) {
        if (error instanceof PageFailure || error instanceof ReleaseError || page.isClosed()) throw error;
        const [text = ''] = String(error).split('\n', 1);
        throw new PageFailure(`leaves a page that cannot be checked (${text})`, { cause: error });
      } finally {
        clearTimeout(timer);
      }
    },
    [Symbol.asyncDispose]: () => context.close().catch(() => undefined),
  };
}

async function waitUntilUsable(page: Page, isEarly: boolean, isPatient: boolean): Promise<void> {
  // The event is that of the shell's `splash-scripts.ts`.
  if (!isPatient) await page.evaluate(() => dispatchEvent(new Event('end-splash')));
  if (!isEarly) await page.evaluate(waitUntilStarted, startLimit);
  const wait = isPatient ? delay(patience) : undefined;
  const cover = await page.evaluate(waitUntilUncovered, uncoverLimit);
  if (cover !== undefined) {
    throw new PageFailure(`keeps the page covered or inert for more than ${uncoverLimit / 1000} s: ${cover}`);
  }
  await wait;
  await page.evaluate(releaseShadowingFields);
}

interface Requests {
  readonly served: string[];
  readonly leads: Leads;
  report(what: string): void;
  /** Notes a navigation. Returns `false` if it opens the page. */
  depart(address: string): boolean;
}

/** Answers the requests of a page. */
async function serveSite(
  page: Page,
  site: OfflineSite,
  { served, leads, report, depart }: Requests,
): Promise<void> {
  const answer = async (route: Route, request: Request) => {
    const { origin, pathname, href } = new URL(request.url());
    const isOwn = origin === site.origin;
    const isNavigation = request.isNavigationRequest();
    if (isOwn && pathname.startsWith('/api/')) {
      served.push(pathname);
      return leads.answer(route, request);
    }
    if (isNavigation && depart(href)) return route.fulfill({ status: 204 });
    const file = isOwn ? await site.read(pathname) : undefined;
    if (!file && isNavigation) {
      const notFound = await site.read(`/${pageFiles.notFound}`);
      const body = Buffer.from(notFound?.body ?? '');
      return route.fulfill({ status: 404, contentType: 'text/html', body });
    }
    if (!file) {
      report(`requests ${isOwn ? pathname : href}, which is no file of the page`);
      return route.abort('blockedbyclient');
    }
    served.push(pathname);
    const type = contentTypeOf(pathname === '/' ? pageFiles.landing : pathname);
    const headers = { 'content-type': type, ...file.headers };
    return route.fulfill({ body: Buffer.from(file.body), headers });
  };
  await page.route('**/*', (route, request) =>
    answer(route, request).catch((error: unknown) => {
      // A closed page needs no answer.
      if (!page.isClosed()) report(`gets no answer: ${String(error)}`);
    }),
  );
}

function watchProblems(page: Page, report: (what: string) => void): void {
  page.on('pageerror', (error) => report(`causes an error: ${String(error)}`));
  page.on('console', (message) => {
    const text = message.text();
    if (/Service Worker registration blocked/.test(text)) report('registers a service worker');
    // Requests that fail are reported where they are answered.
    if (message.type() !== 'error' || /^Failed to load resource/.test(text)) return;
    report(`causes an error: ${text}`);
  });
  page.context().on('page', (other) => {
    if (other === page) return;
    report('opens a window');
    other.close().catch(() => undefined);
  });
  page.on('download', () => report('starts a download'));
  page.on('dialog', (dialog) => {
    report(`shows a dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => undefined);
  });
  page.on('worker', () => report('starts a worker'));
}

/** Fails once the page does not answer for a time, until it is closed. */
async function watchAnswers(page: Page, fail: (text: string) => void): Promise<void> {
  while (!page.isClosed()) {
    await delay(2_000, undefined, { ref: false });
    const isLate = delay(answerLimit, true, { ref: false });
    // A page that is being replaced by another one answers with an error.
    const answer = page.evaluate('false').catch(() => false);
    if (await Promise.race([answer, isLate]))
      return fail(`stops the page: it does not answer for ${answerLimit / 1000} s`);
  }
}

/** Runs in the page: waits until no layer covers it any more. Returns the one that still does after the limit. */
async function waitUntilUncovered(limit: number): Promise<string | undefined> {
  const layer = () => {
    const hit = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
    // Not as a property, because a form with a field of this name would hide it.
    if (hit && Element.prototype.closest.call(hit, 'main, [data-remote]')) return undefined;
    for (let each = hit; each; each = each.parentElement) {
      if (getComputedStyle(each).position === 'fixed') return each;
    }
    return document.querySelector('[inert]:has(main), main[inert]') ?? undefined;
  };
  const end = performance.now() + limit;
  for (let found = layer(); found; found = layer()) {
    if (performance.now() > end)
      return `${found.localName} "${found.id || found.textContent.trim().slice(0, 40)}"`;
    await new Promise((done) => setTimeout(done, 30));
  }
  return undefined;
}

/** Runs in the page: waits until the parts run that load at once, or until the limit. The names are those of `page-markup.ts`. */
async function waitUntilStarted(limit: number): Promise<void> {
  interface Remote {
    readonly live: { readonly hydration?: Readonly<Record<string, string>> };
  }
  const text = document.getElementById('release-document')?.textContent;
  if (!text) return;
  const { remotes } = JSON.parse(text) as { readonly remotes: Partial<Record<string, Remote>> };
  const isAwaited = (slot: HTMLElement) => {
    const { remote = '', exposed = '', version, state } = slot.dataset;
    const timing = remotes[remote]?.live.hydration?.[exposed] ?? 'load';
    return remotes[remote] && timing === 'load' && version === undefined && state !== 'failed';
  };
  const end = performance.now() + limit;
  const slots = [...document.querySelectorAll<HTMLElement>('[data-remote]')];
  while (slots.some(isAwaited) && performance.now() < end) await new Promise((done) => setTimeout(done, 30));
}

/** Runs in the page: takes fields out of their form whose name hides a property of it, such as `children`, because libraries would find the field. */
function releaseShadowingFields(): void {
  for (const field of document.querySelectorAll('form [name]')) {
    const name = field.getAttribute('name') ?? '';
    if (name !== 'id' && name in Element.prototype) field.setAttribute('form', '');
  }
}
