import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { RemoteName } from '@countersign/contracts/remotes';
import { settlingTime } from '@countersign/contracts/telemetry';
import type { Browser, Page } from '@playwright/test';
import { openPage } from '../driver/open-page.ts';
import { leadForms, rightEntries, sendLead } from '../driver/lead-forms.ts';
import { fixtureHangsGlobal, restamp } from '../site/part-builds.ts';
import { expectShown } from '../checks/expect-whole-page.ts';
import { builtFolder, releaseCommand, startProgram, waitForLine } from '../site/running-site.ts';
import { expect, pricingVersions, type ReleasedSite, test } from './release-test.ts';
import { hidePage } from '../driver/page-reports.ts';
import { recordConsole } from '../driver/record-console.ts';

test.setTimeout(300_000);

/**
 * Records the states of a remote's slot in the frames after the splash: a version, `markup` for prerendered markup without code,
 * or `hole` for an empty slot. Call it before the page is opened.
 */
async function recordSlot(page: Page, remote: string): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript((name) => {
    const shown: string[] = [];
    const record = () => {
      const slot = document.querySelector(`[data-remote="${name}"]`);
      if (slot && !document.getElementById('splash')) {
        const heights = [...slot.children].map((child) => child.getBoundingClientRect().height);
        const version = slot.getAttribute('data-version');
        const state = Math.max(0, ...heights) < 20 ? 'hole' : (version ?? 'markup');
        const stillLoads = state === 'markup' && shown.length === 0;
        if (!stillLoads && shown.at(-1) !== state) shown.push(state);
      }
      requestAnimationFrame(record);
    };
    record();
    Object.assign(globalThis, { shownInSlot: shown });
  }, remote);
  return async () => {
    await page.waitForFunction(() => (Reflect.get(globalThis, 'shownInSlot') as string[]).length > 0);
    return page.evaluate(() => Reflect.get(globalThis, 'shownInSlot') as string[]);
  };
}

let networks = 0;

/** A new visitor, whose requests come from a network of their own according to the proxy in front of the site. */
async function newVisitor(browser: Browser) {
  networks += 1;
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    extraHTTPHeaders: { 'X-Forwarded-For': `10.${networks >> 8}.${networks & 255}.1` },
  });
  return { context, page: await context.newPage() };
}

/** A running `release watch`. */
interface Watch {
  readonly lines: readonly string[];
  /** The exit code, once the process has ended and all its lines are read. */
  readonly code: () => number | null;
  /** Waits until the process ends, at most for a time in milliseconds. */
  ended(timeout: number): Promise<void>;
  stop(): void;
}

/** Starts the watch and waits for its first reading. */
async function startWatch(
  { variables }: ReleasedSite,
  part: RemoteName,
  ...options: string[]
): Promise<Watch> {
  const watch = startProgram([releaseCommand, 'watch', part, '--interval', '1', ...options], {
    variables,
  });
  const lines: string[] = [];
  let code: number | null = null;
  // All lines are read by then, unlike at the exit.
  const closed = once(watch, 'close').then(() => {
    code = watch.exitCode;
  });
  // Not always "0 of 0": the same release with the same canary may have had views before.
  await waitForLine(watch, /^canary: \d+ of \d+/, lines);
  return {
    lines,
    code: () => code,
    ended: (timeout) => Promise.race([closed, delay(timeout)]),
    stop: () => void watch.kill(),
  };
}

/** Opens the page as a new visitor, scrolls to the prices and closes it. */
async function visit(browser: Browser, { url }: ReleasedSite) {
  const { context, page } = await newVisitor(browser);
  const messages = recordConsole(context);
  const shownInSlot = await recordSlot(page, 'mf-pricing');
  await openPage(page, url);
  await expect(page.getByRole('table', { name: 'What each plan includes' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Get Free' })).toBeVisible();
  const shown = await shownInSlot();
  expect((await hidePage(page)).status()).toBe(204);
  await context.close();
  // A visitor who opens the page in the moment of a release finds the bundle replaced, and loads each entry on its own.
  const isReplacedBundle = (message: string) => / 404 .*\/entries\.[0-9a-f]{16}\.js$/.test(message);
  return { shown, messages: messages.filter((message) => !isReplacedBundle(message)) };
}

/** Time after which the lead service counts a view without a reported outcome, in milliseconds, with a margin. */
const countingTime = settlingTime + 10_000;

/** Simulates visits until the watch ends. Each time there are enough new visits, it waits until they are counted. */
async function visitUntilEnded<Visit>(
  watch: Watch,
  visitSome: () => Promise<readonly Visit[]>,
  areEnough: (visits: readonly Visit[]) => boolean = () => false,
): Promise<readonly Visit[]> {
  const visits: Visit[] = [];
  let counted = 0;
  while (watch.code() === null) {
    visits.push(...(await visitSome()));
    if (!areEnough(visits.slice(counted))) continue;
    await watch.ended(countingTime);
    counted = visits.length;
  }
  return visits;
}

test('watch: rolls back a canary that throws, while visitors see a complete page', async ({
  browser,
  released,
}) => {
  const { throwsOnRender } = pricingVersions;
  await released.release.canary('mf-pricing', throwsOnRender, 50);
  const watch = await startWatch(released, 'mf-pricing', '--views', '8');
  try {
    const visits = await visitUntilEnded(watch, () =>
      Promise.all([visit(browser, released), visit(browser, released)]),
    );

    expect(watch.code()).toBe(1);
    const lastLine = new RegExp(
      `^mf-pricing ${throwsOnRender} was rolled back: (\\d+) of \\1 views failed, 0 of \\d+ of the stable version$`,
    );
    expect(watch.lines.at(-1)).toMatch(lastLine);
    expect(visits.map(({ shown }) => shown)).toEqual(visits.map(() => [released.stable]));

    const inCanary = visits.filter(({ messages }) => messages.length > 0);
    expect(inCanary.length).toBeGreaterThanOrEqual(8);
    expect(inCanary.length).toBeLessThan(visits.length);
    for (const { messages } of inCanary) {
      expect(messages).toEqual([expect.stringContaining(`mf-pricing@${throwsOnRender} ./pricing failed.`)]);
    }

    expect(await released.release.status('mf-pricing')).toEqual({ live: released.stable, canary: undefined });
    const entry = (await released.release.read<readonly object[]>('history')).at(-1);
    expect(entry).toMatchObject({
      who: expect.stringMatching(/ \(watch\)$/),
      action: 'rollback',
      part: 'mf-pricing',
      why: expect.stringMatching(/^(\d+) of \1 views failed, 0 of \d+ of \d/),
    });
    const after = await visit(browser, released);
    expect(after).toEqual({ shown: [released.stable], messages: [] });
  } finally {
    watch.stop();
  }
});

test('watch: with --promote, a canary that is no worse goes live', async ({ browser, page, released }) => {
  const { good } = pricingVersions;
  await released.release.canary('mf-pricing', good, 50);
  const watch = await startWatch(released, 'mf-pricing', '--views', '3', '--promote');
  try {
    const visits = await visitUntilEnded(
      watch,
      async () => [await visit(browser, released)],
      (views) => views.filter(({ shown }) => shown.includes(good)).length >= 6,
    );

    expect(watch.code()).toBe(0);
    expect(visits.flatMap(({ messages }) => messages)).toEqual([]);
    expect(watch.lines.at(-1)).toMatch(`mf-pricing ${good} is live for everybody: 0 of `);
    for (const { shown } of visits) expect([[released.stable], [good]]).toContainEqual(shown);
    expect(await released.release.status('mf-pricing')).toEqual({ live: good, canary: undefined });
    await page.goto(released.url);
    await expectShown(page, 'mf-pricing', good);
  } finally {
    watch.stop();
  }
});

/**
 * Opens the page as a new visitor, and closes it when mf-pricing runs or has hung the tab. Returns the version, or `hung`.
 *
 * @param hangs whether a canary hangs the tab
 */
async function visitOrHang(browser: Browser, { url, stable }: ReleasedSite, hangs: boolean) {
  const { hangs: canary } = pricingVersions;
  const { context, page } = await newVisitor(browser);
  try {
    await page.addInitScript(([name, value]) => Object.assign(globalThis, { [name]: value }), [
      fixtureHangsGlobal,
      hangs,
    ] as const);
    const hung = page
      .waitForEvent('console', { predicate: (message) => message.text() === 'The fixture hangs.' })
      .then(() => 'hung' as const);
    const shown = async (version: string) => {
      await page.locator(`[data-remote="mf-pricing"][data-version="${version}"]`).waitFor();
      return version;
    };
    // A hung page never finishes loading.
    await page.goto(url, { waitUntil: 'commit' });
    const outcome = await Promise.any([hung, shown(canary), shown(stable)]);
    if (outcome !== 'hung') await hidePage(page);
    return outcome;
  } finally {
    await context.close();
  }
}

test('watch: a canary that hangs four of five tabs is rolled back', async ({ browser, released }) => {
  const { hangs } = pricingVersions;
  await released.release.canary('mf-pricing', hangs, 50);
  const watch = await startWatch(released, 'mf-pricing', '--views', '10', '--promote');
  try {
    const inCanary = (views: readonly string[]) =>
      views.filter((outcome) => outcome !== released.stable).length;
    let canaryViews = 0;
    const outcomes = await visitUntilEnded(
      watch,
      async () => {
        const outcome = await visitOrHang(browser, released, canaryViews % 5 !== 4);
        canaryViews += inCanary([outcome]);
        return [outcome];
      },
      (views) => inCanary(views) >= 12,
    );
    expect(watch.code()).toBe(1);
    expect(watch.lines.at(-1)).toMatch(
      new RegExp(
        `^mf-pricing ${hangs} was rolled back: \\d+ of \\d+ views hung, 0 of \\d+ of the stable version$`,
      ),
    );
    expect(outcomes).toContain(hangs);
    expect(await released.release.status('mf-pricing')).toEqual({ live: released.stable, canary: undefined });
  } finally {
    watch.stop();
  }
});

/** Opens the page as a new visitor, presses a button of the fixture, and closes the page. */
async function visitAndPress(browser: Browser, { url }: ReleasedSite): Promise<void> {
  const { context, page } = await newVisitor(browser);
  await openPage(page, url);
  await page.getByRole('button', { name: 'Work', exact: true }).click();
  // Two frames later the browser has measured the click.
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
  expect((await hidePage(page)).status()).toBe(204);
  await context.close();
}

test('watch: a canary whose clicks are slow is rolled back', async ({ browser, released }) => {
  const { fixture, isSlow } = pricingVersions;
  await released.release.promote('mf-pricing', fixture);
  await released.release.canary('mf-pricing', isSlow, 50);
  const watch = await startWatch(released, 'mf-pricing', '--views', '12', '--promote');
  try {
    await visitUntilEnded(watch, () =>
      Promise.all([visitAndPress(browser, released), visitAndPress(browser, released)]),
    );
    expect(watch.code()).toBe(1);
    expect(watch.lines.at(-1)).toMatch(
      new RegExp(
        `^mf-pricing ${isSlow} was rolled back: (\\d+) of \\1 views slow, 0 of \\d+ of the stable version$`,
      ),
    );
  } finally {
    watch.stop();
  }
});

/** Opens the page as a new visitor, sends a lead of its own, and waits until the visitor is told about it. */
async function visitAndSend(browser: Browser, { url }: ReleasedSite): Promise<void> {
  const { context, page } = await newVisitor(browser);
  await openPage(page, url);
  const form = await sendLead(page, leadForms[0], {
    ...rightEntries,
    Email: `visitor-${crypto.randomUUID()}@example.com`,
    Message: `We sign contract ${crypto.randomUUID()}.`,
  });
  await expect(form.getByRole('status').filter({ hasText: /\w/ })).toBeVisible();
  expect((await hidePage(page)).status()).toBe(204);
  await context.close();
}

test('watch: a canary whose form sends nothing, without an error, is rolled back by its missing leads', async ({
  browser,
  released,
}) => {
  const { release, variables } = released;
  const version = '94.0.0';
  const broken = await restamp(builtFolder('mf-leads'), variables['DATA_DIR'] ?? '', version, {
    '`/api/${': '`/gone/${',
  });
  await release.publish('mf-leads', broken);
  await release.canary('mf-leads', version, 50);
  const watch = await startWatch(released, 'mf-leads', '--views', '1000', '--goal', 'leads');
  try {
    const send = () => visitAndSend(browser, released);
    await visitUntilEnded(watch, () => Promise.all([send(), send(), send()]));
    expect(watch.code()).toBe(1);
    expect(watch.lines.at(-1)).toMatch(
      /^mf-leads 94\.0\.0 was rolled back: 0 leads in \d+ views, \d\d in \d+ of the stable version$/,
    );
    expect((await release.status('mf-leads')).canary).toBeUndefined();
  } finally {
    watch.stop();
  }
});
