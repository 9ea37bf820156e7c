import { partEventName, type PartEvent } from '@countersign/contracts/part-event';
import type { Page, Route } from '@playwright/test';
import {
  expectMarkup,
  expectShown,
  expectWholePage,
  shownVersions,
  touchSlots,
} from '../checks/expect-whole-page.ts';
import { endSplashWithout, openPage } from '../driver/open-page.ts';
import { expect, filesOf, test, type FaultName, type FaultySite } from '../site/fault-test.ts';
import { failingFaults, loseEntryBundle, networkFaults, tamperWith } from '../site/network-faults.ts';

const remote = 'mf-pricing';
// A trace takes a third of a visit's time, and there are many visits.
test.use({ trace: 'off' });

type BreakFiles = (page: Page, site: FaultySite) => Promise<unknown>;

const answerFiles =
  (name: string, answer: (route: Route) => Promise<void>): BreakFiles =>
  (page, site) =>
    page.route(filesOf(site, name), answer);

const changeByteIn =
  (name: string): BreakFiles =>
  (page, site) =>
    tamperWith(page, filesOf(site, name));

type Fallback = readonly [what: string, fault: FaultName, breakFiles?: BreakFiles];

/** Faults of the live version or of its files. */
const fallbacks: readonly Fallback[] = [
  ...Object.entries(failingFaults).map(([what, answer]): Fallback => [
    `network: if it ${what} for the live part`,
    'none',
    answerFiles('', answer),
  ]),
  [
    'network: if a lazy chunk of the part gets 404',
    'fixture',
    answerFiles('\\d+\\.\\w+\\.js', networkFaults['answers 404']),
  ],
  ['integrity: with a modified byte in the entry', 'none', changeByteIn('entry\\.\\w+\\.js')],
  ['integrity: with a modified byte in a lazy chunk', 'fixture', changeByteIn('\\d+\\.\\w+\\.js')],
  ['integrity: with a modified byte in lazy styles', 'fixture', changeByteIn('\\d+\\.\\w+\\.css')],
  ['part: when it throws while it renders', 'throwsOnRender'],
  ['part: when it requires another major version of React', 'otherReact'],
  ['part: when it loads its code without a hash', 'requestsWithoutHash'],
];

for (const [what, fault, breakFiles] of fallbacks) {
  test(`${what}, the previous version shows`, async ({ page, siteWith }) => {
    const site = siteWith(remote, fault);
    if (breakFiles) {
      await loseEntryBundle(page);
      await breakFiles(page, site);
    }
    await openPage(page, site.url);
    await expectShown(page, remote, site.previous);
    await expectWholePage(page, remote);
  });
}

/** A part event without its error, which is no JSON. */
interface ShownEvent {
  readonly version: string;
  readonly exposed: string | undefined;
  readonly outcome: PartEvent['outcome'];
}

/**
 * Records in which slots a version fails. Call it before the page is opened, and its result to use every slot and wait until the
 * version has failed in all of them.
 */
async function watchFailures(page: Page, version: string): Promise<() => Promise<void>> {
  const failedSlots = new Set<string | undefined>();
  await page.exposeFunction('notePartEvent', (event: ShownEvent) => {
    if (event.outcome === 'failed' && event.version === version) failedSlots.add(event.exposed);
  });
  await page.addInitScript((name) => {
    addEventListener(name, (event) => {
      const { version, exposed, outcome } = (event as CustomEvent<PartEvent>).detail;
      const note = Reflect.get(globalThis, 'notePartEvent') as (event: ShownEvent) => void;
      note({ version, exposed, outcome });
    });
  }, partEventName);
  return async () => {
    await touchSlots(page, remote);
    const slots = await page.locator(`[data-remote="${remote}"]`).count();
    await expect.poll(() => failedSlots.size).toBe(slots);
  };
}

const failAllVersions: Readonly<Record<string, BreakFiles>> = {
  'part: when all its versions fail, the markup stays': (page, { previous }) =>
    page.route(`**/${remote}/${previous}/**`, networkFaults['answers 404']),
  // The page contains the styles of the live version.
  'integrity: modified styles of the previous version are not applied; the markup stays': (
    page,
    { previous },
  ) =>
    tamperWith(
      page,
      filesOf({ remote, version: previous }, 'exposed\\.\\w+\\.css'),
      (content) => `:root{--tampered:1}${content}`,
    ),
};

for (const [title, breakFiles] of Object.entries(failAllVersions)) {
  test(title, async ({ page, siteWith }) => {
    const site = siteWith(remote, 'throwsOnRender');
    await breakFiles(page, site);
    const untilFailed = await watchFailures(page, site.previous);
    await endSplashWithout(page, remote);
    await openPage(page, site.url);
    await untilFailed();
    await expectMarkup(page, remote);
    await expectWholePage(page, remote);
  });
}

/** Opens the fixture, and presses a button of its first slot without a mouse, which would move the focus. */
async function openFixture(page: Page, site: FaultySite) {
  await openPage(page, site.url);
  await expectShown(page, site.remote, site.version);
  const slots = page.locator(`[data-remote="${site.remote}"]`);
  await expect(slots.getByText('Loaded late').first()).toBeVisible();
  const press = (name: string) =>
    slots.getByRole('button', { name, exact: true }).first().dispatchEvent('click');
  return { slots, press };
}

for (const [name, what] of [
  ['mf-pricing', 'when it throws after a click, it falls back; position and input stay'],
  ['mf-content', 'when one slot throws after a click, only that slot falls back'],
] as const) {
  test(`part: ${what}`, async ({ page, siteWith }) => {
    const site = siteWith(name, 'fixture');
    const { slots, press } = await openFixture(page, site);
    const field = page.getByRole('textbox', { name: 'Email' });
    await field.fill('jo@example.com');
    await field.focus();
    const before = await field.boundingBox();
    await press('Break');

    const others = (await slots.count()) - 1;
    const expected = [site.previous, ...Array<string>(others).fill(site.version)];
    await expect.poll(() => shownVersions(page, name)).toEqual(expected);
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('jo@example.com');
    await expect.poll(async () => (await field.boundingBox())?.y).toBeCloseTo(before?.y ?? Number.NaN, -1);
    await expectWholePage(page, name);
  });
}

test('part: two errors in one commit count as one failure', async ({ page, siteWith }) => {
  const site = siteWith(remote, 'fixture');
  const { press } = await openFixture(page, site);
  await press('Break in two effects');
  await expect.poll(() => shownVersions(page, remote)).toEqual([site.previous]);
  await expectWholePage(page, remote);
});

test('part: when a handler throws, the page stays, and the console names the part', async ({
  page,
  siteWith,
}) => {
  const site = siteWith(remote, 'fixture');
  const { press } = await openFixture(page, site);
  const reported = page.waitForEvent('console', (message) =>
    message.text().startsWith(`${remote}@${site.version} failed.`),
  );
  await press('Break in the handler');
  await reported;
  await expectShown(page, remote, site.version);
  await expectWholePage(page, remote);
});
