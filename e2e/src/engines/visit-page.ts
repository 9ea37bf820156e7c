import { remoteNames } from '@countersign/contracts/remotes';
import { slotCount } from '../checks/slot-count.ts';
import type { Engine, Visitor } from './engine.ts';
import { expect } from './engine-test.ts';
import { recordedPageGlobal, type RecordedPage } from './recorded-page.ts';
import type { WatchedSite } from './watched-site.ts';

/** A component's slot, and the version whose code runs in it, if any does. */
interface ShownSlot {
  readonly text: string;
  readonly prerendered: string | null;
  readonly version: string | null;
}

export const shownSlots = (visitor: Visitor): Promise<readonly ShownSlot[]> =>
  visitor.run(() =>
    [...document.querySelectorAll('[data-remote]')].map((slot) => ({
      text: slot.textContent,
      prerendered: slot.getAttribute('data-prerendered'),
      version: slot.getAttribute('data-version'),
    })),
  );

const recorded = (visitor: Visitor): Promise<RecordedPage> =>
  visitor.run((name) => Reflect.get(globalThis, name) as RecordedPage, recordedPageGlobal);

export async function expectNoErrors(visitor: Visitor, { knownErrors }: Engine): Promise<void> {
  const { errors } = await recorded(visitor);
  expect(errors.filter((error) => !knownErrors.some((known) => known.test(error)))).toEqual([]);
}

/** Opens the page and waits until the splash is over. */
export async function openPage(visitor: Visitor, { url }: WatchedSite): Promise<void> {
  await visitor.open(url);
  const splash = () => visitor.run(() => document.getElementById('splash') !== null);
  await expect.poll(splash, { message: 'the splash is there' }).toBe(false);
}

/** Interacts with every slot, and waits until each runs the code of the version of its markup. */
export async function useEverySlot(visitor: Visitor): Promise<readonly ShownSlot[]> {
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

/** Interacts with every slot, and expects that each is hydrated in place, without errors. */
export async function expectSlotsInPlace(visitor: Visitor, engine: Engine): Promise<readonly ShownSlot[]> {
  const slots = await useEverySlot(visitor);
  const { slotTexts } = await recorded(visitor);
  expect(slots).toHaveLength(slotCount);
  expect(slots.map(({ text }) => text)).toEqual(slotTexts);
  await expectNoErrors(visitor, engine);
  return slots;
}

/** Expects that every slot is hydrated in place, and that the page reports so when it is left. */
export async function expectHydratedInPlace(
  visitor: Visitor,
  engine: Engine,
  site: WatchedSite,
): Promise<readonly ShownSlot[]> {
  const slots = await expectSlotsInPlace(visitor, engine);
  await leavePage(visitor, site);
  expect(site.reports.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  return slots;
}

/** Puts the focus on the first element that matches a selector and, if given, has a text or label. */
export async function focusOn(visitor: Visitor, selector: string, name?: string): Promise<void> {
  const isFocused = await visitor.run(
    (wanted, text) => {
      const element = [...document.querySelectorAll<HTMLElement>(wanted)].find(
        (one) =>
          text === null ||
          [one.textContent.trim(), one.getAttribute('aria-label'), one.parentElement?.textContent].includes(
            text,
          ),
      );
      element?.focus();
      return element !== undefined && document.activeElement === element;
    },
    selector,
    name ?? null,
  );
  expect(isFocused, `focus on ${selector} ${name ?? ''}`).toBe(true);
}

/** Presses a button or follows a link with the keyboard. */
export async function press(visitor: Visitor, selector: string, name?: string): Promise<void> {
  await focusOn(visitor, selector, name);
  await visitor.pressEnter();
}

/** Waits until this page or the next one shows a text. Queries fail during a navigation. */
export async function expectText(visitor: Visitor, text: string): Promise<void> {
  // eslint-disable-next-line no-restricted-properties -- Only visible text counts, and an empty one is polled again.
  const shown = () => visitor.run(() => document.querySelector('body')?.innerText);
  await expect(async () => expect(await shown()).toContain(text)).toPass({ timeout: 10_000 });
}
