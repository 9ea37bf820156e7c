import { partEventName, type PartEvent } from '@countersign/contracts/part-event';
import type { Page, Route } from '@playwright/test';
import {
  expectMarkup,
  expectShown,
  expectWholePage,
  shownVersions,
  touchSlots,
} from '../checks/expect-whole-page.ts';
import {
  endSplashWithout,
  failingFaults,
  filesOf,
  loseEntryBundle,
  networkFaults,
  tamperWith,
} from '../driver/open-page.ts';
import {
  broken,
  expect,
  type FaultyPage,
  fixture,
  fixtureFault,
  live,
  sameBuild,
  test,
  type VersionFault,
} from '../site/site-test.ts';

const remote = 'mf-pricing';

const throwsOnRender: VersionFault = {
  version: '92.0.0',
  isFixture: true,
  replacements: fixtureFault('throws on render'),
};

/** Was built for the next React. */
const otherReact: VersionFault = { version: '93.0.0', replacements: { '"^19.3.0"': '"^20.0.0"' } };

/** Its loader sets no integrity attributes, as a build without our plugin does. */
const requestsWithoutHash: VersionFault = {
  version: '94.0.0',
  isFixture: true,
  replacements: { 'integrity=self._FILE_INTEGRITY?.(': 'title=String(' },
};

type BreakFiles = (page: Page, faulty: FaultyPage) => Promise<unknown>;

const answerFiles =
  (name: string, answer: (route: Route) => Promise<void>): BreakFiles =>
  (page, faulty) =>
    page.route(filesOf(faulty, name), answer);

const changeByteIn =
  (name: string): BreakFiles =>
  (page, faulty) =>
    tamperWith(page, filesOf(faulty, name));

type Fallback = readonly [what: string, fault: VersionFault, breakFiles?: BreakFiles];

/** Faults of the live version or of its files. */
const fallbacks: readonly Fallback[] = [
  ...Object.entries(failingFaults).map(([what, answer]): Fallback => [
    `network: if it ${what} for the live part`,
    sameBuild,
    answerFiles('', answer),
  ]),
  [
    'network: if a lazy chunk of the part gets 404',
    fixture,
    answerFiles('\\d+\\.\\w+\\.js', networkFaults['answers 404']),
  ],
  ['integrity: with a modified byte in the entry', sameBuild, changeByteIn('entry\\.\\w+\\.js')],
  ['integrity: with a modified byte in a lazy chunk', fixture, changeByteIn('\\d+\\.\\w+\\.js')],
  ['integrity: with a modified byte in lazy styles', fixture, changeByteIn('\\d+\\.\\w+\\.css')],
  ['part: when it throws while it renders', throwsOnRender],
  ['part: when it requires another major version of React', otherReact],
  ['part: when it loads its code without a hash', requestsWithoutHash],
];

for (const [what, fault, breakFiles] of fallbacks) {
  test(`${what}, the previous version shows`, async ({ page, site, openSite }) => {
    const faulty = await site.with(live(remote), broken(remote, fault));
    if (breakFiles) {
      await loseEntryBundle(page);
      await breakFiles(page, faulty);
    }
    await openSite(faulty.path);
    await expectShown(page, remote, faulty.previous);
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
  test(title, async ({ page, site, openSite }) => {
    const faulty = await site.with(live(remote), broken(remote, throwsOnRender));
    await breakFiles(page, faulty);
    const untilFailed = await watchFailures(page, faulty.previous);
    await endSplashWithout(page, remote);
    await openSite(faulty.path);
    await untilFailed();
    await expectMarkup(page, remote);
    await expectWholePage(page, remote);
  });
}

/** Waits for the fixture, and presses a button of its first slot without a mouse, which would move the focus. */
async function useFixture(page: Page, { remote: name, version }: FaultyPage) {
  await expectShown(page, name, version);
  const slots = page.locator(`[data-remote="${name}"]`);
  await expect(slots.getByText('Loaded late').first()).toBeVisible();
  const press = (button: string) =>
    slots.getByRole('button', { name: button, exact: true }).first().dispatchEvent('click');
  return { slots, press };
}

for (const [name, what] of [
  ['mf-pricing', 'when it throws after a click, it falls back; position and input stay'],
  ['mf-content', 'when one slot throws after a click, only that slot falls back'],
] as const) {
  test(`part: ${what}`, async ({ page, site, openSite }) => {
    const faulty = await site.with(live(name), broken(name, fixture));
    await openSite(faulty.path);
    const { slots, press } = await useFixture(page, faulty);
    const field = page.getByRole('textbox', { name: 'Email' });
    await field.fill('jo@example.com');
    await field.focus();
    const before = await field.boundingBox();
    await press('Break');

    const others = (await slots.count()) - 1;
    const expected = [faulty.previous, ...Array<string>(others).fill(faulty.version)];
    await expect.poll(() => shownVersions(page, name)).toEqual(expected);
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('jo@example.com');
    await expect.poll(async () => (await field.boundingBox())?.y).toBeCloseTo(before?.y ?? Number.NaN, -1);
    await expectWholePage(page, name);
  });
}

test('part: when a handler throws, the page stays, and the console names the part', async ({
  page,
  site,
  openSite,
}) => {
  const faulty = await site.with(live(remote), broken(remote, fixture));
  await openSite(faulty.path);
  const { press } = await useFixture(page, faulty);
  const reported = page.waitForEvent('console', (message) =>
    message.text().startsWith(`${remote}@${faulty.version} failed.`),
  );
  await press('Break in the handler');
  await reported;
  await expectShown(page, remote, faulty.version);
  await expectWholePage(page, remote);
});
