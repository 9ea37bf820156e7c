import type { RemoteName } from '@countersign/contracts/remotes';
import type { Page } from '@playwright/test';
import { endSplashEarly, endSplashWithout } from '../driver/end-splash-early.ts';
import {
  expectMarkup,
  expectShown,
  expectWholePage,
  shownVersions,
  touchSlots,
} from '../checks/expect-whole-page.ts';
import {
  expect,
  faultyVersions,
  filesOf,
  test,
  type FaultySite,
  type FaultyVersion,
} from '../site/faulty-versions.ts';
import {
  failingFaults,
  loseEntryBundle,
  networkFaults,
  tamperWith,
  type FailingFault,
} from '../site/spoil-files.ts';
import { recordPartEvents } from '../driver/part-events.ts';
import { splashEnd } from '../driver/splash-end.ts';

const remote = 'mf-pricing';
// A trace takes a third of a visit's time, and there are many visits.
test.use({ remote, trace: 'off' });

async function open(page: Page, { url, releases }: FaultySite, version: FaultyVersion): Promise<void> {
  await endSplashEarly(page);
  await page.goto(`${url}/?release=${releases[version]}`);
  await splashEnd(page);
}

/**
 * Records in which slots a version fails. Call it before the page is opened, and its result to use every slot and wait until the
 * version has failed in all of them.
 */
async function watchFailures(page: Page, version: string): Promise<() => Promise<void>> {
  const events = await recordPartEvents(page);
  return async () => {
    await touchSlots(page, remote);
    const slots = await page.locator(`[data-remote="${remote}"]`).count();
    const failedSlots = async () => {
      const failed = (await events()).filter(
        (event) => event.outcome === 'failed' && event.version === version,
      );
      return new Set(failed.map(({ exposed }) => exposed)).size;
    };
    await expect.poll(failedSlots).toBe(slots);
  };
}

/** Opens a version that throws, and expects the markup once the previous version has failed as well. */
async function expectMarkupAfterAllFail(page: Page, faulty: FaultySite): Promise<void> {
  const untilFailed = await watchFailures(page, faulty.previous);
  await endSplashWithout(page, remote);
  await open(page, faulty, 'throwsOnRender');
  await untilFailed();
  await expectMarkup(page, remote);
  await expectWholePage(page, remote);
}

for (const fault of Object.keys(failingFaults) as FailingFault[]) {
  test(`network: if it ${fault} for the live part, the previous version is shown`, async ({
    page,
    faulty,
  }) => {
    await loseEntryBundle(page);
    await page.route(filesOf(remote, faultyVersions.sound), failingFaults[fault]);
    await open(page, faulty, 'sound');
    await expectShown(page, remote, faulty.previous);
    await expectWholePage(page, remote);
  });
}

for (const [what, version, name] of [
  ['the entry', 'sound', 'entry\\.\\w+\\.js'],
  ['a lazy chunk', 'fixture', '\\d+\\.\\w+\\.js'],
  ['lazy styles', 'fixture', '\\d+\\.\\w+\\.css'],
] as const) {
  test(`integrity: with a modified byte in ${what} of the part, the previous version is shown`, async ({
    page,
    faulty,
  }) => {
    await loseEntryBundle(page);
    await tamperWith(page, filesOf(remote, faultyVersions[version], name));
    await open(page, faulty, version);
    await expectShown(page, remote, faulty.previous);
    await expectWholePage(page, remote);
  });
}

test('integrity: modified styles of the previous version are not applied; the markup stays', async ({
  page,
  faulty,
}) => {
  // The page contains the styles of the live version.
  const previous = filesOf(remote, faulty.previous, 'exposed\\.\\w+\\.css');
  await tamperWith(page, previous, (content) => `:root{--tampered:1}${content}`);
  await expectMarkupAfterAllFail(page, faulty);
});

test('network: if a lazy chunk of the part gets 404, the previous version is shown', async ({
  page,
  faulty,
}) => {
  await page.route(filesOf(remote, faultyVersions.fixture, '\\d+\\.\\w+\\.js'), networkFaults['answers 404']);
  await open(page, faulty, 'fixture');
  await expectShown(page, remote, faulty.previous);
  await expectWholePage(page, remote);
});

for (const [what, version] of [
  ['throws while it renders', 'throwsOnRender'],
  ['requires another major version of React', 'otherReact'],
  ['loads its code without a hash', 'asksForNoHash'],
] as const) {
  test(`part: when it ${what}, the previous version is shown`, async ({ page, faulty }) => {
    await open(page, faulty, version);
    await expectShown(page, remote, faulty.previous);
    await expectWholePage(page, remote);
  });
}

test('part: when all its versions fail, the markup stays', async ({ page, faulty }) => {
  await page.route(`**/${remote}/${faulty.previous}/**`, networkFaults['answers 404']);
  await expectMarkupAfterAllFail(page, faulty);
});

/** Breaks the first slot of a part by a press, while another part has the focus and text. */
async function expectOnlyOneSlotFallsBack(page: Page, faulty: FaultySite, name: RemoteName): Promise<void> {
  await open(page, faulty, 'fixture');
  await expectShown(page, name, faultyVersions.fixture);
  const slots = page.locator(`[data-remote="${name}"]`);
  await expect(slots.getByText('Loaded late').first()).toBeVisible();
  const field = page.getByRole('textbox', { name: 'Email' });
  await field.fill('jo@example.com');
  await field.focus();
  const before = await field.boundingBox();
  // No mouse click, because that would move the focus.
  await slots.getByRole('button', { name: 'Break', exact: true }).first().dispatchEvent('click');

  const others = (await slots.count()) - 1;
  const expected = [faulty.previous, ...Array<string>(others).fill(faultyVersions.fixture)];
  await expect.poll(() => shownVersions(page, name)).toEqual(expected);
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('jo@example.com');
  await expect.poll(async () => (await field.boundingBox())?.y).toBeCloseTo(before?.y ?? Number.NaN, -1);
  await expectWholePage(page, name);
}

test('part: when it throws after a click, it falls back; scroll position and input stay', async ({
  page,
  faulty,
}) => {
  await expectOnlyOneSlotFallsBack(page, faulty, remote);
});

test.describe(() => {
  test.use({ remote: 'mf-content' });

  test('part: when one of its slots throws after a click, only that slot falls back', async ({
    page,
    faulty,
  }) => {
    await expectOnlyOneSlotFallsBack(page, faulty, 'mf-content');
  });
});

test('part: two errors in one commit count as one failure', async ({ page, faulty }) => {
  await open(page, faulty, 'fixture');
  await expectShown(page, remote, faultyVersions.fixture);
  const slots = page.locator(`[data-remote="${remote}"]`);
  await slots.getByRole('button', { name: 'Break in two effects' }).first().dispatchEvent('click');
  await expect.poll(async () => (await shownVersions(page, remote))[0]).toBe(faulty.previous);
  await expectWholePage(page, remote);
});

test('part: when a handler throws, the page stays, and the console names the part', async ({
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
