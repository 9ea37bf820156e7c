import type { ThemePreference } from '@countersign/contracts/theme-preference';
import type { Notice, SectionId, ShellApi } from '@countersign/contracts/shell-api';
import { telemetryReport } from '@countersign/contracts/telemetry';
import type { JSHandle, Page } from '@playwright/test';
import { endSplashEarly } from '../driver/end-splash-early.ts';
import { notices } from '../checks/notices.ts';
import { pretendHidden, recordReports } from '../checks/visits.ts';
import { expectShown, expectWholePage } from '../checks/expect-whole-page.ts';
import { expect, faultyVersions, test, type FaultySite } from '../site/faulty-versions.ts';
import { splashEnd } from '../driver/splash-end.ts';

const remote = 'mf-pricing';
test.use({ remote, trace: 'off' });

const version = faultyVersions.fixture;

/** Opens the page and returns what the part was given by it. */
async function open(page: Page, { url, releases }: FaultySite): Promise<JSHandle<ShellApi>> {
  await endSplashEarly(page);
  await page.goto(`${url}/?release=${releases.fixture}`);
  await splashEnd(page);
  await expectShown(page, remote, version);
  return page.waitForFunction(() => Reflect.get(globalThis, 'shellOfFixture') as ShellApi);
}

/** Failures that the page has reported. */
async function reportedFailures(page: Page, reports: readonly string[]) {
  await pretendHidden(page);
  await expect.poll(() => reports.length).toBeGreaterThan(0);
  return reports
    .flatMap((report) => telemetryReport.parse(JSON.parse(report)).parts)
    .filter(({ outcome }) => outcome === 'failed');
}

const wrongCalls: Readonly<Record<string, (shell: ShellApi) => unknown>> = {
  'a notice with an object as title': ({ notify }) => notify({ title: { a: 1 } } as unknown as Notice),
  'a notice with a getter that throws': ({ notify }) =>
    notify({
      get title(): string {
        throw new Error('No');
      },
    }),
  'a theme that is a function that throws': ({ theme }) =>
    theme.setPreference((() => {
      throw new Error('No');
    }) as unknown as ThemePreference),
  'a section that throws when it is read': ({ scrollToSection }) =>
    scrollToSection({
      toString() {
        throw new Error('No');
      },
    } as unknown as SectionId),
  'ten thousand notices at once': ({ notify }) => {
    for (let call = 0; call < 10_000; call += 1) notify({ title: `Notice ${call}` });
  },
};

for (const [what, call] of Object.entries(wrongCalls)) {
  test(`hostile part: a request for ${what} is reported, and the page stays`, async ({ page, faulty }) => {
    const reports = await recordReports(page);
    const shell = await open(page, faulty);
    const named = page.waitForEvent('console', (message) =>
      message.text().startsWith(`${remote}@${version} ./pricing failed.`),
    );
    await shell.evaluate(call);
    await named;
    await expectShown(page, remote, version);
    await expectWholePage(page, remote);
    expect(await reportedFailures(page, reports)).toEqual([
      { part: remote, version, group: 'stable', outcome: 'failed', cause: 'event' },
    ]);
  });
}

test('hostile part: cannot change the ShellApi of other parts', async ({ page, faulty }) => {
  const shell = await open(page, faulty);
  await shell.evaluate((own) => {
    for (const object of [own, own.page, own.theme]) {
      for (const key of Object.keys(object)) Reflect.set(object, key, undefined);
    }
  });
  await shell.evaluate((own) => own.notify({ title: 'Still heard' }));
  await expect(notices(page)).toHaveText(/Still heard/);
  await expectWholePage(page, remote);
});

test('hostile part: changing the URL does not remove the page', async ({ page, faulty }) => {
  await open(page, faulty);
  await page.evaluate(() => {
    history.pushState(null, '', '/elsewhere');
    history.replaceState(null, '', '/nowhere');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await expectShown(page, remote, version);
  await expect(page.getByText('404 Page Not Found')).toHaveCount(0);
  await page.goBack();
  await expectShown(page, remote, version);
  await expectWholePage(page, remote);
});

test('hostile part: replacing the console and failing does not remove the page', async ({ page, faulty }) => {
  await open(page, faulty);
  await page.evaluate(() => {
    console.error = () => {
      throw new Error('No');
    };
  });
  const slot = page.locator(`[data-remote="${remote}"]`);
  await slot.getByRole('button', { name: 'Break', exact: true }).dispatchEvent('click');
  await expectShown(page, remote, faulty.previous);
  await expectWholePage(page, remote);
});

test('hostile part: failing after its elements are removed shows the previous version', async ({
  page,
  faulty,
}) => {
  await open(page, faulty);
  const slot = page.locator(`[data-remote="${remote}"]`);
  await slot.getByRole('button', { name: 'Break', exact: true }).evaluate((button) => {
    button.addEventListener('click', () => button.closest('[data-remote]')?.replaceChildren());
    button.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  });
  await expectShown(page, remote, faulty.previous);
  await expectWholePage(page, remote);
});
