import type { RemoteName } from '@countersign/contracts/remotes';
import type { Page } from '@playwright/test';
import {
  expectMarkup,
  expectShown,
  expectWholePage,
  shownVersions,
  touchSlots,
} from './expect-whole-page.ts';
import {
  expect,
  faultyVersions,
  filesOf,
  test,
  type FaultySite,
  type FaultyVersion,
} from './faulty-versions.ts';
import { failingFaults, networkFaults, tamperWith, type FailingFault } from './spoil-files.ts';

async function open(page: Page, { url, releases }: FaultySite, version: FaultyVersion): Promise<void> {
  await page.goto(`${url}/?release=${releases[version]}`);
  await page.locator('#splash').waitFor({ state: 'detached' });
}

/**
 * Notes which slots of a remote a version fails in, which the page says in the console. Called before the page is opened; call
 * the result to use every slot and wait until the version has failed in all of them.
 */
function watchFailures(page: Page, remote: RemoteName, version: string): () => Promise<void> {
  const failed = new Set<string>();
  page.on('console', (message) => {
    const [, name, exposed] = /^(\S+) (\S+) failed\./.exec(message.text()) ?? [];
    if (exposed && name === `${remote}@${version}`) failed.add(exposed);
  });
  return async () => {
    await touchSlots(page, remote);
    const slots = await page.locator(`[data-remote="${remote}"]`).count();
    await expect.poll(() => failed.size).toBe(slots);
  };
}

/** Every way in which a remote can be broken, and what a visitor sees of it. */
export function testFaultsOf(remote: RemoteName): void {
  for (const fault of Object.keys(failingFaults) as FailingFault[]) {
    test(`while the network ${fault} for the live ${remote}, the previous version is shown`, async ({
      page,
      faulty,
    }) => {
      await page.route(filesOf(remote, faultyVersions.sound), failingFaults[fault]);
      await open(page, faulty, 'sound');
      await expectShown(page, remote, faulty.previous);
      await expectWholePage(page, remote);
    });
  }

  for (const [what, version, name] of [
    ['the entry', 'sound', 'entry\\.\\w+\\.js'],
    ['a chunk that is loaded late', 'fixture', '\\d+\\.\\w+\\.js'],
    ['styles that are loaded late', 'fixture', '\\d+\\.\\w+\\.css'],
  ] as const) {
    test(`with one byte changed in ${what} of ${remote}, the previous version is shown and nothing of it ran`, async ({
      page,
      faulty,
    }) => {
      await tamperWith(page, filesOf(remote, faultyVersions[version], name));
      await open(page, faulty, version);
      await expectShown(page, remote, faulty.previous);
      await expectWholePage(page, remote);
    });
  }

  test(`with one byte changed in the styles of the previous ${remote}, the markup stands and they are not applied`, async ({
    page,
    faulty,
  }) => {
    // Those of the live version are part of the page.
    const previous = filesOf(remote, faulty.previous, 'exposed\\.\\w+\\.css');
    await tamperWith(page, previous, (content) => `:root{--tampered:1}${content}`);
    const untilFailed = watchFailures(page, remote, faulty.previous);
    await open(page, faulty, 'throwsOnRender');
    await untilFailed();
    await expectMarkup(page, remote);
    await expectWholePage(page, remote);
  });

  test(`while the network answers 404 for a late chunk of ${remote}, the previous version is shown`, async ({
    page,
    faulty,
  }) => {
    await page.route(
      filesOf(remote, faultyVersions.fixture, '\\d+\\.\\w+\\.js'),
      networkFaults['answers 404'],
    );
    await open(page, faulty, 'fixture');
    await expectShown(page, remote, faulty.previous);
    await expectWholePage(page, remote);
  });

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

  test(`when ${remote} throws and its previous version is gone, the markup of the page stands`, async ({
    page,
    faulty,
  }) => {
    await page.route(`**/${remote}/${faulty.previous}/**`, networkFaults['answers 404']);
    const untilFailed = watchFailures(page, remote, faulty.previous);
    await open(page, faulty, 'throwsOnRender');
    await untilFailed();
    await expectMarkup(page, remote);
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
