import type { RemoteName } from '@countersign/contracts/remotes';
import type { Page } from '@playwright/test';
import { expectShown, expectWholePage, shownVersions } from './expect-whole-page.ts';
import { expect, faultyVersions, test, type FaultySite, type FaultyVersion } from './faulty-versions.ts';
import { networkFaults, tamperWith, type NetworkFault } from './spoil-files.ts';

async function open(page: Page, { url, releases }: FaultySite, version: FaultyVersion): Promise<void> {
  await page.goto(`${url}/?release=${releases[version]}`);
  await page.locator('#splash').waitFor({ state: 'detached' });
}

/** Address of a file of a version: its name begins like this. */
function fileOf(remote: RemoteName, version: FaultyVersion, name: string): RegExp {
  return new RegExp(`/${remote}/${faultyVersions[version].replaceAll('.', '\\.')}/${name}`);
}

/** Every way in which a remote can be broken, and what a visitor sees of it. */
export function testFaultsOf(remote: RemoteName): void {
  // A trace takes a third of a visit's time, and there are many visits.
  test.use({ remote, trace: 'off' });

  for (const fault of Object.keys(networkFaults) as NetworkFault[]) {
    test(`while the network ${fault} for the live ${remote}, the previous version is shown`, async ({
      page,
      faulty,
    }) => {
      await page.route(fileOf(remote, 'sound', ''), networkFaults[fault]);
      await open(page, faulty, 'sound');
      await expectShown(page, remote, faulty.previous);
      await expectWholePage(page, remote);
    });
  }

  for (const [what, version, name] of [
    ['the entry', 'sound', 'entry\\.\\w+\\.js'],
    ['the exposed chunk', 'sound', 'exposed\\.\\w+\\.js'],
    ['the styles', 'sound', 'exposed\\.\\w+\\.css'],
    ['a chunk that is loaded late', 'fixture', '\\d+\\.\\w+\\.js'],
    ['styles that are loaded late', 'fixture', '\\d+\\.\\w+\\.css'],
  ] as const) {
    test(`with one byte changed in ${what} of ${remote}, the previous version is shown and nothing of it ran`, async ({
      page,
      faulty,
    }) => {
      await tamperWith(page, fileOf(remote, version, name));
      await open(page, faulty, version);
      await expectShown(page, remote, faulty.previous);
      await expectWholePage(page, remote);
    });
  }

  for (const fault of ['answers 404', 'hangs'] as const) {
    test(`while the network ${fault} for a late chunk of ${remote}, the previous version is shown`, async ({
      page,
      faulty,
    }) => {
      await page.route(fileOf(remote, 'fixture', '\\d+\\.\\w+\\.js'), networkFaults[fault]);
      await open(page, faulty, 'fixture');
      await expectShown(page, remote, faulty.previous);
      await expectWholePage(page, remote);
    });
  }

  for (const [what, version] of [
    ['throws while it renders', 'throwsOnRender'],
    ['wants another major version of React', 'otherReact'],
    ['loads its code without a hash', 'asksForNoHash'],
  ] as const) {
    test(`when ${remote} ${what}, the previous version is shown`, async ({ page, faulty }) => {
      await open(page, faulty, version);
      await expectShown(page, remote, faulty.previous);
      await expectWholePage(page, remote);
    });
  }

  test(`when ${remote} throws and its previous version is gone, the fallback is shown`, async ({
    page,
    faulty,
  }) => {
    await page.route(`**/${remote}/${faulty.previous}/**`, networkFaults['answers 404']);
    await open(page, faulty, 'throwsOnRender');
    await expectShown(page, remote, 'fallback');
    await expectWholePage(page, remote);
  });

  test(`when ${remote} throws after a click, its slot alone goes back, and the visitor’s place and words stay`, async ({
    page,
    faulty,
  }) => {
    await open(page, faulty, 'fixture');
    await expectShown(page, remote, faultyVersions.fixture);
    const slots = page.locator(`[data-remote="${remote}"]`);
    await expect(slots.getByText('Loaded late').first()).toBeVisible();

    const field = remote === 'mf-leads' ? undefined : page.getByRole('textbox', { name: 'Email' });
    await field?.fill('jo@example.com');
    const stays = field ?? page.getByRole('link', { name: 'Get Free' });
    await stays.focus();
    const before = await stays.boundingBox();
    // Not a click of the mouse, which would take the focus along.
    await slots.getByRole('button', { name: 'Break', exact: true }).first().dispatchEvent('click');

    const others = (await slots.count()) - 1;
    const expected = [faulty.previous, ...Array<string>(others).fill(faultyVersions.fixture)];
    await expect.poll(() => shownVersions(page, remote)).toEqual(expected);
    await expect(stays).toBeFocused();
    if (field) await expect(field).toHaveValue('jo@example.com');
    await expect.poll(async () => (await stays.boundingBox())?.y).toBeCloseTo(before?.y ?? Number.NaN, -1);
    await expectWholePage(page, remote);
  });

  test(`two errors of ${remote} in one commit are one failure: the previous version is shown`, async ({
    page,
    faulty,
  }) => {
    await open(page, faulty, 'fixture');
    await expectShown(page, remote, faultyVersions.fixture);
    const slots = page.locator(`[data-remote="${remote}"]`);
    await slots.getByRole('button', { name: 'Break in two effects' }).first().dispatchEvent('click');
    await expect.poll(async () => (await shownVersions(page, remote))[0]).toBe(faulty.previous);
    await expectWholePage(page, remote);
  });

  test(`when a handler of ${remote} throws, everything stays, and the console says whose fault it is`, async ({
    page,
    faulty,
  }) => {
    await open(page, faulty, 'fixture');
    await expectShown(page, remote, faultyVersions.fixture);
    const reported = page.waitForEvent('console', (message) =>
      message.text().startsWith(`${remote}@${faultyVersions.fixture} failed.`),
    );
    await page.getByRole('button', { name: 'Break in the handler' }).first().dispatchEvent('click');
    await reported;
    await expectShown(page, remote, faultyVersions.fixture);
    await expectWholePage(page, remote);
  });
}
