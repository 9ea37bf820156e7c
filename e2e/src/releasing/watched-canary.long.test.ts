import type { Browser, Page } from '@playwright/test';
import { hidePage, openPage } from '../driver/open-page.ts';
import { fixtureHangsGlobal } from '../site/site-test.ts';
import { newVisitor, startWatch, visitUntilEnded } from './canary-watch.ts';
import { expect, pricingVersions, type ReleasedSite, test } from './release-test.ts';
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
    const entry = (await released.release.run<readonly object[]>('history')).at(-1);
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
