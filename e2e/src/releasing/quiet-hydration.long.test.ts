import { remoteNames } from '@countersign/contracts/remotes';
import { markupHash, slotAttributes } from '@countersign/contracts/page-markup';
import type { Browser, Page } from '@playwright/test';
import { hidePage, openPage, recordReports, reportsOfParts } from '../driver/open-page.ts';
import { expectHydrated, shownVersions } from '../checks/expect-whole-page.ts';
import { shownTheme } from '../checks/shown-theme.ts';
import { expect, pricingVersions, type ReleasedSite, test } from './release-test.ts';
import { recordConsole } from '../driver/record-console.ts';

const { good } = pricingVersions;
const systems = ['light', 'dark'] as const;
interface Visitor {
  readonly stored?: 'light' | 'dark' | 'system' | undefined;
  readonly system: (typeof systems)[number];
}

/** The stored theme replaces that of the system. Other releases of mf-pricing change nothing about it. */
const withEachTheme: readonly Visitor[] = ([undefined, 'light', 'dark', 'system'] as const).flatMap(
  (stored) => systems.map((system) => ({ stored, system })),
);
const withoutStoredTheme: readonly Visitor[] = systems.map((system) => ({ system }));

/** Records the markup of each slot as the shell reads it when its hydration begins, with its hash in the page. */
async function recordHydratedMarkup(page: Page): Promise<void> {
  await page.addInitScript((hashAttribute) => {
    const recorded: [hash: string, html: string][] = [];
    Object.assign(globalThis, { hydratedMarkup: recorded });
    const property = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML') ?? {};
    Object.defineProperty(Element.prototype, 'innerHTML', {
      ...property,
      get(this: Element) {
        const html = String(property.get?.call(this));
        const hash = this.getAttribute(hashAttribute);
        if (hash !== null) recorded.push([hash, html]);
        return html;
      },
    });
  }, slotAttributes.markupHash);
}

/** Opens the page as a new visitor and uses every part. Returns the shown version of mf-pricing and all console messages. */
async function visit(browser: Browser, { url }: ReleasedSite, { stored, system }: Visitor) {
  const context = await browser.newContext({ colorScheme: system });
  try {
    const messages = recordConsole(context);
    const page = await context.newPage();
    if (stored) {
      await page.addInitScript((theme) => localStorage.setItem('countersign-theme', theme), stored);
    }
    const reports = await recordReports(page);
    await recordHydratedMarkup(page);
    await openPage(page, url);
    for (const remote of remoteNames) await expectHydrated(page, remote);
    const chosen = stored === 'light' || stored === 'dark' ? stored : system;
    expect(await shownTheme(page)).toBe(chosen);
    const [version] = await shownVersions(page, 'mf-pricing');
    // Mismatches are reported only where the markup is that of the release.
    const hydrated = await page.evaluate(
      () => Reflect.get(globalThis, 'hydratedMarkup') as [string, string][],
    );
    expect(hydrated.length).toBeGreaterThanOrEqual(remoteNames.length);
    for (const [hash, html] of hydrated) expect(hash).toBe(markupHash(html));

    expect((await hidePage(page)).status()).toBe(204);
    await expect.poll(() => reports.length).toBeGreaterThan(0);
    return { version, messages, failures: reportsOfParts(reports, 'failed') };
  } finally {
    await context.close();
  }
}

/** Visits as each visitor; returns the versions of mf-pricing that were shown. */
async function expectQuiet(
  browser: Browser,
  site: ReleasedSite,
  visitors = withoutStoredTheme,
): Promise<ReadonlySet<string>> {
  const versions = new Set<string>();
  for (const visitor of visitors) {
    const { version, messages, failures } = await visit(browser, site, visitor);
    expect({ ...visitor, messages, failures }).toEqual({ ...visitor, messages: [], failures: [] });
    versions.add(String(version));
  }
  return versions;
}

test('hydration: no error, warning or failure in any theme and system scheme', async ({
  browser,
  released,
}) => {
  expect([...(await expectQuiet(browser, released, withEachTheme))]).toEqual([released.stable]);
});

test('hydration: no error, warning or failure in a canary', async ({ browser, released }) => {
  await released.release.canary('mf-pricing', good, 100);
  expect([...(await expectQuiet(browser, released))]).toEqual([good]);
});
