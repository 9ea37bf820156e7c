import type { Page } from '@playwright/test';
import {
  expectMarkup,
  expectShown,
  expectWholePage,
  shownVersions,
  touchSlots,
} from '../checks/expect-whole-page.ts';
import {
  endSplashWithout,
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
  live,
  test,
  throwsOnRender,
  type VersionFault,
} from '../site/site-test.ts';
import { slotsOf } from '../driver/landing-page.ts';

const remote = 'mf-pricing';

// Each test composes a page of the real builds, with one version of a part that `broken` makes: the fixture, whose lazy chunk says
// "Loaded late" and has a button that throws, or the fixture with text replaced.

/** Its loader sets no integrity attributes, as a build without `requestIntegrity` of packages/webpack-config does. */
const requestsWithoutHash: VersionFault = {
  version: '94.0.0',
  replacements: { 'integrity=self._FILE_INTEGRITY?.(': 'title=String(' },
};

type BreakFiles = (page: Page, faulty: FaultyPage) => Promise<unknown>;

const answer404: BreakFiles = (page, faulty) => page.route(filesOf(faulty), networkFaults['answers 404']);

const changeByteIn =
  (name: string): BreakFiles =>
  (page, faulty) =>
    tamperWith(page, filesOf(faulty, name));

type Fallback = readonly [what: string, fault: VersionFault, breakFiles?: BreakFiles];

/** Faults of the live version or of its files. */
const fallbacks: readonly Fallback[] = [
  ['network: if it answers 404 for the live part', fixture, answer404],
  ['integrity: with a modified byte in the entry', fixture, changeByteIn('entry\\.\\w+\\.js')],
  ['integrity: with a modified byte in a lazy chunk', fixture, changeByteIn('\\d+\\.\\w+\\.js')],
  ['integrity: with a modified byte in lazy styles', fixture, changeByteIn('\\d+\\.\\w+\\.css')],
  ['part: when it loads its code without a hash', requestsWithoutHash],
];

for (const [what, fault, breakFiles] of fallbacks) {
  test(`${what}, the previous version shows`, async ({ page, site, openSite }) => {
    const faulty = await site.pageWith(live(remote), broken(remote, fault));
    if (breakFiles) {
      await loseEntryBundle(page);
      await breakFiles(page, faulty);
    }
    await openSite(faulty.path);
    await expectShown(page, remote, faulty.previous);
    await expectWholePage(page, remote);
  });
}

test('integrity: modified styles of the previous version are not applied; the markup stays', async ({
  page,
  site,
  openSite,
}) => {
  const faulty = await site.pageWith(live(remote), broken(remote, throwsOnRender));
  // The page contains the styles of the live version, so only those of the previous one are requested. The previous version is the
  // real build, without a mark of `restamp`, so the test adds one.
  const styles = filesOf({ remote, version: faulty.previous }, 'exposed\\.\\w+\\.css');
  await tamperWith(page, styles, (content) => `:root{--tampered:1}${content}`);
  const failed = page.waitForEvent('console', (message) =>
    message.text().includes(`${remote}@${faulty.previous}`),
  );
  await endSplashWithout(page, remote);
  await openSite(faulty.path);
  await touchSlots(page, remote);
  await failed;
  await expectMarkup(page, remote);
  await expectWholePage(page, remote);
});

test('part: a slot that throws after a click falls back alone; input and position stay', async ({
  page,
  site,
  openSite,
}) => {
  const name = 'mf-content';
  const faulty = await site.pageWith(live(name), broken(name, fixture));
  await openSite(faulty.path);
  await expectShown(page, name, faulty.version);
  const slots = slotsOf(page, name);
  await expect(slots.getByText('Loaded late').first()).toBeVisible();
  const field = page.getByRole('textbox', { name: 'Email' });
  await field.fill('jo@example.com');
  await field.focus();
  const before = await field.boundingBox();
  // Without a mouse, which would move the focus.
  await slots.getByRole('button', { name: 'Break', exact: true }).first().dispatchEvent('click');

  const others = (await slots.count()) - 1;
  // The slot in which the button was, then the others.
  const expected = [faulty.previous, ...Array<string>(others).fill(faulty.version)];
  await expect.poll(() => shownVersions(page, name)).toEqual(expected);
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('jo@example.com');
  // Within 5 px.
  await expect.poll(async () => (await field.boundingBox())?.y).toBeCloseTo(before?.y ?? Number.NaN, -1);
  await expectWholePage(page, name);
});
