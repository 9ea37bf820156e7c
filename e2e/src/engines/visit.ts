import { remoteNames } from '@countersign/contracts/remotes';
import { expect } from '@playwright/test';
import { slotCount } from '../checks/expect-whole-page.ts';
import { rightEntries } from '../driver/lead-forms.ts';
import type { Visitor } from './engine.ts';
import { recordedPageGlobal, type RecordedPage, type RecordedSite } from './recorded-site.ts';

/** A component's slot: the version of its markup, and the version whose code runs in it. */
interface ShownSlot {
  readonly text: string;
  readonly prerendered: string | null;
  readonly version: string | null;
}

/** A domain that is stored in ASCII. */
export const international = { typed: 'ada@bücher.example', stored: 'ada@xn--bcher-kva.example' } as const;

/** The stored lead of {@link Visit.fillInAndSend}, without its name. */
export const rightLead = {
  type: 'contact',
  email: rightEntries.Email,
  company: rightEntries.Company,
  message: rightEntries.Message,
};

/** A visit to the site: the actions of a visitor, and claims about the page. */
export class Visit {
  readonly visitor: Visitor;
  readonly site: RecordedSite;
  private readonly knownErrors: readonly RegExp[];

  constructor(visitor: Visitor, site: RecordedSite, knownErrors: readonly RegExp[]) {
    this.visitor = visitor;
    this.site = site;
    this.knownErrors = knownErrors;
  }

  /** Opens the page and waits until the splash is over. */
  async open(): Promise<void> {
    await this.visitor.open(this.site.url);
    const splash = () => this.visitor.run(() => document.getElementById('splash') !== null);
    await expect.poll(splash, { message: 'the splash is shown' }).toBe(false);
  }

  slots(): Promise<readonly ShownSlot[]> {
    return this.visitor.run(() =>
      [...document.querySelectorAll('[data-remote]')].map((slot) => ({
        text: slot.textContent,
        prerendered: slot.getAttribute('data-prerendered'),
        version: slot.getAttribute('data-version'),
      })),
    );
  }

  private recorded(): Promise<RecordedPage> {
    return this.visitor.run((name) => Reflect.get(globalThis, name) as RecordedPage, recordedPageGlobal);
  }

  async expectNoErrors(): Promise<void> {
    const { errors } = await this.recorded();
    expect(errors.filter((error) => !this.knownErrors.some((known) => known.test(error)))).toEqual([]);
  }

  /** Uses every slot, and waits until each runs the code of the version of its markup. */
  async useEverySlot(): Promise<readonly ShownSlot[]> {
    const waiting = async () => {
      await this.visitor.run(() => {
        for (const element of document.querySelectorAll('[data-remote]:not([data-version]) > :first-child'))
          element.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
      });
      return (await this.slots()).filter(({ prerendered, version }) => version !== prerendered);
    };
    await expect.poll(waiting, { message: 'slots without the code of their markup' }).toEqual([]);
    return this.slots();
  }

  /** Uses every slot, and expects that each is hydrated in place, without errors. */
  async expectSlotsInPlace(): Promise<readonly ShownSlot[]> {
    const slots = await this.useEverySlot();
    const { slotTexts } = await this.recorded();
    expect(slots).toHaveLength(slotCount);
    expect(slots.map(({ text }) => text)).toEqual(slotTexts);
    await this.expectNoErrors();
    return slots;
  }

  /** Expects that every slot is hydrated in place. Then leaves the page, and expects its reports of that. */
  async expectHydratedInPlace(): Promise<readonly ShownSlot[]> {
    const slots = await this.expectSlotsInPlace();
    await this.visitor.open('about:blank');
    const parts = (wanted: string) =>
      new Set(this.site.reports.filter(({ measure }) => measure === wanted).map(({ part }) => part)).size;
    await expect.poll(() => parts('viewed'), { message: 'parts viewed' }).toBe(remoteNames.length + 1);
    expect(parts('failed')).toBe(0);
    return slots;
  }

  /** Puts the focus on the first element that matches a selector and, if given, has a text or label. */
  async focusOn(selector: string, name?: string): Promise<void> {
    const focus = () =>
      this.visitor.run(
        (wanted, text) => {
          const element = [...document.querySelectorAll<HTMLElement>(wanted)].find(
            (one) =>
              text === null ||
              [
                one.textContent.trim(),
                one.getAttribute('aria-label'),
                one.parentElement?.textContent,
              ].includes(text),
          );
          element?.focus();
          return element !== undefined && document.activeElement === element;
        },
        selector,
        name ?? null,
      );
    // WebKit refuses the focus in sections whose layout is still deferred.
    await expect.poll(focus, { message: `focus on ${selector} ${name ?? ''}` }).toBe(true);
  }

  /** Presses a button or follows a link with the keyboard. */
  async press(selector: string, name?: string): Promise<void> {
    await this.focusOn(selector, name);
    await this.visitor.pressEnter();
  }

  /** Fills in fields of a form with the keyboard and sends it. The form keeps its name if none is given. */
  async fillInAndSend(
    name: string | undefined,
    { form = '#contact form', email = rightEntries.Email }: { form?: string; email?: string } = {},
  ): Promise<void> {
    const { Company: company, Message: message } = rightEntries;
    for (const [field, text] of Object.entries({ name, email, company, message })) {
      if (text === undefined) continue;
      await this.focusOn(`${form} [name=${field}]`);
      await this.visitor.type(text);
    }
    await this.press(`${form} button[type=submit]`);
  }

  /** Waits until this page or the next one shows a text. Queries fail during a navigation. */
  async expectText(text: string): Promise<void> {
    // eslint-disable-next-line no-restricted-properties -- Only visible text counts, and an empty one is polled again.
    const shown = () => this.visitor.run(() => document.querySelector('body')?.innerText);
    await expect(async () => expect(await shown()).toContain(text)).toPass({ timeout: 10_000 });
  }
}
