import { remoteNames } from '@countersign/contracts/remotes';
import { restamp } from '../faults/restamp.ts';
import { rightEntries } from '../lead-forms.ts';
import { releaseInto } from '../releasing/release-into.ts';
import { builtFolder } from '../running-site.ts';
import { slotCount } from '../slot-count.ts';
import { readLeads } from '../stored-leads.ts';
import type { Engine, Visitor } from './engine.ts';
import { expect, test } from './engine-test.ts';
import { recordedPageGlobal, type RecordedPage } from './recorded-page.ts';
import type { WatchedSite } from './watched-site.ts';

const themeStorageKey = 'countersign-theme';

/** A component's slot, and the version whose code runs in it, if any does. */
interface ShownSlot {
  readonly text: string;
  readonly prerendered: string | null;
  readonly version: string | null;
}

const shownSlots = (visitor: Visitor): Promise<readonly ShownSlot[]> =>
  visitor.run(() =>
    [...document.querySelectorAll('[data-remote]')].map((slot) => ({
      text: slot.textContent,
      prerendered: slot.getAttribute('data-prerendered'),
      version: slot.getAttribute('data-version'),
    })),
  );

const recorded = (visitor: Visitor): Promise<RecordedPage> =>
  visitor.run((name) => Reflect.get(globalThis, name) as RecordedPage, recordedPageGlobal);

async function expectNoErrors(visitor: Visitor, { knownErrors }: Engine): Promise<void> {
  const { errors } = await recorded(visitor);
  expect(errors.filter((error) => !knownErrors.some((known) => known.test(error)))).toEqual([]);
}

/** Opens the page and waits until the splash is over. */
async function openPage(visitor: Visitor, { url }: WatchedSite): Promise<void> {
  await visitor.open(url);
  const splash = () => visitor.run(() => document.getElementById('splash') !== null);
  await expect.poll(splash, { message: 'the splash is there' }).toBe(false);
}

/** Interacts with every slot, and waits until each runs the code of the version of its markup. */
async function useEverySlot(visitor: Visitor): Promise<readonly ShownSlot[]> {
  const waiting = async () => {
    await visitor.run(() => {
      for (const element of document.querySelectorAll('[data-remote]:not([data-version]) > :first-child'))
        element.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    });
    return (await shownSlots(visitor)).filter(({ prerendered, version }) => version !== prerendered);
  };
  await expect.poll(waiting, { message: 'slots without the code of their markup' }).toEqual([]);
  return shownSlots(visitor);
}

/** Closes the page, which then sends its reports, and waits for the report of every part. */
async function leavePage(visitor: Visitor, { reports }: WatchedSite): Promise<void> {
  await visitor.open('about:blank');
  const loaded = () =>
    new Set(reports.filter(({ outcome }) => outcome === 'loaded').map(({ part }) => part)).size;
  await expect.poll(loaded, { message: 'parts that are reported as loaded' }).toBe(remoteNames.length);
}

/** Expects that every slot was hydrated in place, without errors. */
async function expectHydratedInPlace(
  visitor: Visitor,
  engine: Engine,
  site: WatchedSite,
): Promise<readonly ShownSlot[]> {
  const slots = await useEverySlot(visitor);
  const { slotTexts } = await recorded(visitor);
  expect(slots).toHaveLength(slotCount);
  expect(slots.map(({ text }) => text)).toEqual(slotTexts);
  await expectNoErrors(visitor, engine);
  await leavePage(visitor, site);
  expect(site.reports.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  return slots;
}

for (const theme of ['light', 'dark', undefined] as const) {
  test(`engine: every slot is hydrated in place with ${theme ?? 'no'} stored theme`, async ({
    engine,
    visitor,
    watchedSite,
  }) => {
    if (theme) {
      await visitor.open(`${watchedSite.url}/no/such/page`);
      await visitor.run((key, value) => localStorage.setItem(key, value), themeStorageKey, theme);
    }
    await openPage(visitor, watchedSite);
    const shown = await visitor.run(() => document.documentElement.dataset['theme']);
    expect(shown).toBe(theme ?? 'light');
    await expectHydratedInPlace(visitor, engine, watchedSite);
  });
}

/** Puts the focus into a field or on a button. */
const focusOn = (visitor: Visitor, selector: string) =>
  visitor.run((wanted) => document.querySelector<HTMLElement>(wanted)?.focus(), selector);

/** The focused element and its value. */
const focused = (visitor: Visitor) =>
  visitor.run(() => {
    const field = document.activeElement;
    return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
      ? { name: field.name, value: field.value }
      : undefined;
  });

/** An address whose domain Chromium alone converts to ASCII, and the same as it is stored. */
const international = { typed: 'ada@bücher.example', stored: 'ada@xn--bcher-kva.example' } as const;

/** Fills in the contact form with the keyboard, from the second field on, and sends it. */
async function fillInTheRestAndSend(visitor: Visitor, email: string): Promise<void> {
  const entries = { ...rightEntries, Email: email };
  for (const name of ['Email', 'Company', 'Message'] as const) {
    await focusOn(visitor, `#contact [name=${name.toLowerCase()}]`);
    await visitor.type(entries[name]);
  }
  await focusOn(visitor, '#contact form button[type=submit]');
  await visitor.pressEnter();
}

const leadsOf = (dataDirectory: string, wanted: string) =>
  readLeads(dataDirectory).filter(({ name }) => name === wanted);

const rightLead = {
  type: 'contact',
  email: rightEntries.Email,
  company: rightEntries.Company,
  message: rightEntries.Message,
};

/** Waits until this page or the next one shows a text. Queries fail during a navigation. */
async function expectText(visitor: Visitor, text: string): Promise<void> {
  const shown = () => visitor.run(() => document.querySelector('body')?.innerText);
  await expect(async () => expect(await shown()).toContain(text)).toPass({ timeout: 10_000 });
}

test('engine: input before the form’s code loads stays, and is sent', async ({
  engine,
  site,
  visitor,
  watchedSite,
}) => {
  const code = watchedSite.hold(/^\/mf-leads\/.*\.js$/);
  await openPage(visitor, watchedSite);
  await focusOn(visitor, '#contact [name=name]');
  await visitor.type('Ada in');
  const [form] = (await shownSlots(visitor)).slice(-2);
  expect(form).toMatchObject({ version: null });
  code.release();
  await useEverySlot(visitor);
  expect(await focused(visitor)).toEqual({ name: 'name', value: 'Ada in' });

  await visitor.type(' a hurry');
  expect(await focused(visitor)).toEqual({ name: 'name', value: 'Ada in a hurry' });
  await fillInTheRestAndSend(visitor, rightEntries.Email);
  await expectText(visitor, 'Success!');
  expect(leadsOf(site.dataDirectory, 'Ada in a hurry')).toMatchObject([rightLead]);
  await expectNoErrors(visitor, engine);
});

test('engine: without a network, the form says what to do; its input is kept and can be sent', async ({
  site,
  visitor,
  watchedSite,
}) => {
  await openPage(visitor, watchedSite);
  await useEverySlot(visitor);
  const name = 'Ada without network';
  await focusOn(visitor, '#contact [name=name]');
  await visitor.type(name);
  const network = watchedSite.disconnect(/^\/api\/contact$/);
  await fillInTheRestAndSend(visitor, international.typed);

  const status = () => visitor.run(() => document.querySelector('#contact form [role=status]')?.textContent);
  await expect
    .poll(status)
    .toBe(
      'We could not reach our server. Check your internet connection, then try again: what you typed is still here.',
    );
  const kept = await visitor.run(() =>
    [...document.querySelectorAll<HTMLInputElement>('#contact form :is([name=name], [name=message])')].map(
      ({ value }) => value,
    ),
  );
  expect(kept).toEqual([name, rightEntries.Message]);
  const hasFocus = () => visitor.run(() => document.activeElement?.matches('#contact form [type=submit]'));
  await expect.poll(hasFocus, { message: 'the button has the focus' }).toBe(true);

  network.restore();
  await visitor.pressEnter();
  await expectText(visitor, 'Success!');
  expect(leadsOf(site.dataDirectory, name)).toMatchObject([{ ...rightLead, email: international.stored }]);
});

test('engine: a canary is hydrated in place, with its own markup', async ({
  engine,
  site,
  visitor,
  watchedSite,
}) => {
  const { dataDirectory } = site;
  const version = '85.0.0';
  const release = releaseInto({ DATA_DIR: dataDirectory });
  const words = { 'What each plan includes': 'What is in each plan' };
  await release.publish(
    'mf-pricing',
    await restamp(builtFolder('mf-pricing'), dataDirectory, version, words),
  );
  await release.canary('mf-pricing', version, 100);
  try {
    await openPage(visitor, watchedSite);
    const canary = (await expectHydratedInPlace(visitor, engine, watchedSite)).filter(
      (slot) => slot.version === version,
    );
    expect(canary).toEqual([
      expect.objectContaining({
        prerendered: version,
        text: expect.stringContaining('What is in each plan'),
      }),
    ]);
    expect(watchedSite.reports).toContainEqual(
      expect.objectContaining({ part: 'mf-pricing', version, group: 'canary', outcome: 'loaded' }),
    );
  } finally {
    await release.read('rollback', 'mf-pricing');
  }
});

test.describe(() => {
  test.use({ javaScript: false });

  test('engine: without JavaScript the page has every section, and its form works', async ({
    site,
    visitor,
    watchedSite,
  }) => {
    await visitor.open(watchedSite.url);
    const slots = await shownSlots(visitor);
    expect(slots).toHaveLength(slotCount);
    expect(slots.filter(({ text, version }) => text === '' || version !== null)).toEqual([]);
    await expectText(visitor, 'What each plan includes');

    const name = 'Ada without script';
    await focusOn(visitor, '#contact [name=name]');
    await visitor.type(name);
    await fillInTheRestAndSend(visitor, international.typed);
    await expectText(visitor, 'Thank you');
    expect(leadsOf(site.dataDirectory, name)).toMatchObject([{ ...rightLead, email: international.stored }]);
  });
});
