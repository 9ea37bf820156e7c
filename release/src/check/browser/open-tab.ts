import { setTimeout as delay } from 'node:timers/promises';
import { themeStorageKey } from '@countersign/contracts/shell-api';
import type { Browser, Page, Request, Route } from 'playwright-core';
import { pageFiles } from '../../store/page-files.ts';
import { contentTypeOf } from '../../page/content-types.ts';
import { HeldCode } from './held-code.ts';
import { OfflineLeadService } from './offline-lead-service.ts';
import type { SiteReader } from './site-reader.ts';
import { limits, type Pace, type Timed } from './pace.ts';
import { OutOfTime, PageFailure } from './page-failure.ts';
import { reportViolations } from './report-violations.ts';
import { describeElements } from './visitor-scripts.ts';
import { visitors, type VisitorName } from './visitors.ts';
import { waitUntilStarted, waitUntilUsable } from './wait-until-usable.ts';

/** Number of violations, and of their characters, that are kept. */
const maxViolations = 20;
const maxLength = 300;

/** A page in a browser without a network, whose requests a site answers without a server, and what has happened in it. */
export class Tab implements AsyncDisposable, Timed {
  readonly page: Page;
  site: SiteReader;
  /** Errors, and what a page must not do, as its predicates: `opens a window`. */
  readonly violations: string[] = [];
  /** Addresses that navigations led to. None of them was opened. */
  readonly departures: string[] = [];
  /** Paths of the files and answers that were sent. */
  readonly served: string[] = [];
  readonly leads = new OfflineLeadService();
  /** Requests without an answer so far. */
  readonly pending = new Set<Request>();
  readonly pace: Pace;
  /** Whether the limits of other pages follow from what this one takes. */
  readonly isLive: boolean;
  largestFraction = 0;
  readonly visitor: VisitorName;
  readonly #failure = Promise.withResolvers<never>();
  readonly #heldCode = new HeldCode();
  /** Whether the next navigation opens the page. */
  #isOpening = false;

  // What journeys remember of the page, from one to the next.
  /** Observation of what no journey may change, before the first one. */
  initialObservation: Readonly<Record<string, readonly string[]>> | undefined;
  /** Whether the next journey must open the page again, such as for another version. */
  mustReopen = false;

  constructor(
    page: Page,
    site: SiteReader,
    visitor: VisitorName,
    pace: Pace,
    { isLive = false }: Partial<Pick<Timed, 'isLive'>>,
  ) {
    this.page = page;
    this.site = site;
    this.visitor = visitor;
    this.pace = pace;
    this.isLive = isLive;
    // Between two calls of `guard` nothing awaits it.
    this.#failure.promise.catch(() => undefined);
  }

  /**
   * Opens a path. Rejects with a {@link PageFailure}.
   *
   * @param options `isPatient` waits for the end of the splash, and for late content. Others end the splash.
   */
  async open(path = '/', { isPatient = false }: { readonly isPatient?: boolean } = {}): Promise<void> {
    const { page, site, departures, runsScripts, isEarly } = this;
    const known = departures.length;
    const waitUntil = runsScripts && !isEarly ? 'load' : 'domcontentloaded';
    if (isEarly) this.#heldCode.hold();
    this.#isOpening = true;
    this.mustReopen = false;
    const navigation = page.goto(`${site.origin}${path}`, { waitUntil, timeout: 0 });
    const opening = this.within(limits.open, 'does not let the page open within', navigation);
    const cause: unknown = await opening.then(
      () => undefined,
      (error: unknown) => error,
    );
    const departure = departures[known];
    if (departure !== undefined) throw new PageFailure(`leaves the page: ${departure}`);
    if (cause instanceof PageFailure) throw cause;
    if (cause !== undefined) throw new PageFailure('does not let the page open', { cause });
    if (runsScripts) await waitUntilUsable(page, (limit) => this.limitOf(limit), { isEarly, isPatient });
  }

  get runsScripts(): boolean {
    return visitors[this.visitor].settings.javaScriptEnabled !== false;
  }

  /** Whether the visitor acts before the code of the remotes has come, which {@link releaseHeldCode} ends. */
  get isEarly(): boolean {
    return visitors[this.visitor].isEarly === true;
  }

  /** Lets the code of the remotes come if it is held back, and waits for it. */
  async releaseHeldCode(): Promise<void> {
    if (this.#heldCode.release()) await waitUntilStarted(this.page, this.limitOf(limits.start));
  }

  /** A limit in milliseconds, longer where the live page takes long. */
  limitOf(limit: number): number {
    return this.pace.limitOf(limit, this);
  }

  /**
   * Rejects with an {@link OutOfTime} if work takes longer than a limit.
   *
   * @param predicate what the part does then, before the number of seconds
   */
  within<Result>(limit: number, predicate: string, work: Promise<Result>): Promise<Result> {
    return this.pace.within(limit, this, work, (after) => {
      throw new OutOfTime(predicate, after);
    });
  }

  /** Forgets what has happened. The next journey opens the page again, perhaps of another site. */
  renew(site: SiteReader): void {
    this.site = site;
    this.mustReopen = true;
    this.initialObservation = undefined;
    for (const list of [this.violations, this.departures, this.served]) list.length = 0;
  }

  /** Rejects with a {@link PageFailure} as soon as the page has crashed or answers no more, in place of `work`. */
  async guard<Result>(work: Promise<Result>): Promise<Result> {
    const failing = Promise.race([work, this.#failure.promise]);
    try {
      return await this.within(limits.work, 'keeps the page busy for', failing);
    } catch (error) {
      if (error instanceof PageFailure || this.page.isClosed()) throw error;
      const [text = ''] = String(error).split('\n', 1);
      throw new PageFailure(`leaves a page that cannot be checked (${text})`, { cause: error });
    }
  }

  /** Ends the work of `guard`. */
  fail(failure: PageFailure): void {
    this.#failure.reject(failure);
  }

  report(violation: string): void {
    if (this.violations.length < maxViolations)
      this.violations.push((violation.split('\n', 1)[0] ?? '').slice(0, maxLength));
  }

  /** Answers a request of the page. */
  async answer(route: Route, request: Request): Promise<void> {
    const { site, served } = this;
    const { origin, pathname, href } = new URL(request.url());
    const isOwn = origin === site.origin;
    const isNavigation = request.isNavigationRequest();
    if (isOwn && pathname.startsWith('/api/')) {
      served.push(pathname);
      return this.leads.answer(route, request);
    }
    if (isNavigation && !this.#isOpening) {
      this.departures.push(href);
      return route.fulfill({ status: 204 });
    }
    this.#isOpening &&= !isNavigation;
    if (isOwn) await this.#heldCode.wait(pathname);
    const answer = isOwn ? await answerFromSite(site, pathname, isNavigation) : undefined;
    if (!answer) {
      this.report(`requests ${isOwn ? pathname : href}, which is no file of the page`);
      return route.abort('blockedbyclient');
    }
    served.push(pathname);
    return route.fulfill(answer);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.page.context().close();
  }
}

/** The answer of a site: a file, or for navigations its page for unknown addresses. `undefined` if it has none. */
async function answerFromSite(site: SiteReader, pathname: string, isNavigation: boolean) {
  const found = await site.read(pathname);
  const file = found ?? (isNavigation ? await site.read(`/${pageFiles.notFound}`) : undefined);
  if (!file) return undefined;
  const type = contentTypeOf(isNavigation ? pageFiles.landing : pathname);
  const headers = { 'content-type': type, ...file.headers };
  return { status: found ? 200 : 404, body: Buffer.from(file.body), headers };
}

/** Opens a tab for a visitor. {@link Tab.open} loads the page. */
export async function openTab(
  browser: Browser,
  site: SiteReader,
  visitor: VisitorName,
  pace: Pace,
  options: Partial<Pick<Timed, 'isLive'>> = {},
): Promise<Tab> {
  const { settings, initScripts = [], skipsTime } = visitors[visitor];
  const context = await browser.newContext({
    acceptDownloads: false,
    permissions: [],
    serviceWorkers: 'block',
    ...settings,
  });
  // Limits are those of the work in which something is waited for.
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  const tab = new Tab(page, site, visitor, pace, options);
  reportViolations(page, tab);
  page.on('request', (request) => tab.pending.add(request));
  page.on('requestfinished', (request) => tab.pending.delete(request));
  page.on('requestfailed', (request) => tab.pending.delete(request));
  if (tab.runsScripts) expectAnswers(tab).catch((failure: PageFailure) => tab.fail(failure));
  // Before our init scripts, because installing the clock restores functions that `removeFeatures` deletes.
  if (skipsTime) await page.clock.install();
  for (const script of [describeElements, ...initScripts]) await page.addInitScript(script, themeStorageKey);
  await page.route('**/*', (route, request) =>
    tab.answer(route, request).catch((error: unknown) => {
      // A closed page needs no answer.
      if (!page.isClosed()) tab.report(`gets no answer: ${String(error)}`);
    }),
  );
  return tab;
}

/** Rejects with an {@link OutOfTime} once the page does not answer for a time, until it is closed. */
async function expectAnswers(tab: Tab): Promise<void> {
  const { page } = tab;
  while (!page.isClosed()) {
    await delay(2_000, undefined, { ref: false });
    // A page that is being replaced by another one answers with an error.
    const answer = page.evaluate('false').catch(() => false);
    await tab.within(limits.answer, 'stops the page: it does not answer for', answer);
  }
}
