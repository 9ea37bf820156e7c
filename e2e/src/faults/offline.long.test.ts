import { telemetryReport } from '@countersign/contracts/telemetry';
import type { Page } from '@playwright/test';
import { pretendHidden, recordReports } from '../checks/visits.ts';
import { expectMarkup, expectShown, expectWholePage } from '../checks/expect-whole-page.ts';
import { expect, faultyVersions, test, type FaultySite } from '../site/faulty-versions.ts';
import { splashEnd } from '../driver/splash-end.ts';

const remote = 'mf-pricing';
test.use({ remote, trace: 'off' });

/** A version with lazy code and lazy styles. */
const version = faultyVersions.fixture;

/** Takes the browser offline while the started page waits for this file of the version. */
async function goOfflineAt(page: Page, name: string): Promise<void> {
  const file = new RegExp(`/${remote}/${version.replaceAll('.', '\\.')}/${name}`);
  await page.route(file, async (route) => {
    await page.locator('[data-remote]').first().waitFor({ state: 'attached' });
    await page.context().setOffline(true);
    await route.abort('internetdisconnected');
  });
}

async function goOnline(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'wait' });
  await page.context().setOffline(false);
}

function open(page: Page, { url, releases }: FaultySite) {
  return page.goto(`${url}/?release=${releases.fixture}`);
}

for (const [what, name] of [
  ['the entry', 'entry\\.\\w+\\.js'],
  ['a lazy chunk', '\\d+\\.\\w+\\.js'],
  ['lazy styles', '\\d+\\.\\w+\\.css'],
] as const) {
  test(`offline: a part whose request for ${what} failed recovers without a reload`, async ({
    page,
    faulty,
  }) => {
    const reports = await recordReports(page);
    const failures: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes(' failed.')) failures.push(message.text());
    });
    await goOfflineAt(page, name);
    await open(page, faulty);
    await splashEnd(page);
    await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(false);
    await expectMarkup(page, remote);

    await goOnline(page);
    await expectShown(page, remote, version);
    await expect(page.locator(`[data-remote="${remote}"]`).getByText('Loaded late')).toHaveCSS(
      'text-decoration-line',
      'underline',
    );
    await expectWholePage(page, remote);

    await pretendHidden(page);
    await expect.poll(() => reports.length).toBeGreaterThan(0);
    const parts = reports.flatMap((report) => telemetryReport.parse(JSON.parse(report)).parts);
    expect(parts).toContainEqual(expect.objectContaining({ part: remote, version, outcome: 'loaded' }));
    expect(parts.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(failures).toEqual([]);
  });
}

test('offline: a part recovers after an outage longer than all timeouts', async ({ page, faulty }) => {
  await page.clock.install();
  await goOfflineAt(page, '\\d+\\.\\w+\\.js');
  await open(page, faulty);
  await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(false);
  await page.clock.fastForward('30:00');
  await expectMarkup(page, remote);
  await goOnline(page);
  await expectShown(page, remote, version);
  await expect(page.locator(`[data-remote="${remote}"]`).getByText('Loaded late')).toBeVisible();
});
