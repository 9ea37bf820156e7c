import { readFileSync } from 'node:fs';
import type { Journey } from '@countersign/contracts/journeys';
import { expect } from '@playwright/test';
import type * as TestingLibrary from '@testing-library/dom';
import { enterKey, type Visitor } from './visitor.ts';

type Step = Journey['steps'][number];

/** Finds elements by role and name in any engine. A global of the page once its source has run there. */
declare const TestingLibraryDom: typeof TestingLibrary;
const source = import.meta.resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js');
const testingLibrary = readFileSync(new URL(source), 'utf8');

/** `see`: whether the element is visible. `focus`: focuses it and selects its text. `hasFocus`: whether the focus is in it. */
type Use = 'see' | 'focus' | 'hasFocus';
/** Resolves to `false` if the page does not have the element, or it cannot be used yet. */
async function useElement({ run }: Visitor, use: Use, target: string, place?: string): Promise<boolean> {
  if (!(await run(() => 'TestingLibraryDom' in globalThis))) await run(testingLibrary);
  return run(
    (use, targets) => {
      const { queryAllByRole, queryAllByText } = TestingLibraryDom;
      const holdsText = (name: string) => (_: string, element: Element | null) =>
        element?.textContent.replace(/\s+/g, ' ').toLowerCase().includes(name.toLowerCase()) ?? false;
      // The library does not know that a caption names its figure. A name has spaces between elements, and a text has none.
      const withoutSpaces = (text: string) => text.replaceAll(/\s+/g, '');
      const hasName = (name: string) => (accessible: string, element: Element) => {
        const caption = element.querySelector(':scope > figcaption')?.cloneNode(true) as Element | undefined;
        for (const hidden of caption?.querySelectorAll('[aria-hidden="true"]') ?? []) hidden.remove();
        return withoutSpaces(caption?.textContent ?? accessible) === withoutSpaces(name);
      };
      const find = (parent: HTMLElement, target: string) => {
        // A target is `#id`, a role, a role with a quoted name, or a quoted text: `Target` in contracts' journeys.ts.
        if (target.startsWith('#')) return [...parent.querySelectorAll<HTMLElement>(target)];
        const [, role, name = ''] = /^(\w*) ?(?:"(.+)")?$/.exec(target) ?? [];
        if (role) return queryAllByRole(parent, role, name === '' ? {} : { name: hasName(name) });
        // A text may begin before a child and end in it: those that hold no other.
        const holders = queryAllByText(parent, holdsText(name), { ignore: 'script, style' });
        return holders.filter((one) => !holders.some((other) => other !== one && one.contains(other)));
      };
      let elements = [document.body];
      for (const target of targets) elements = elements.flatMap((element) => find(element, target));
      const isVisible = (element: Element) =>
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (use === 'see') return elements.some(isVisible);
      const element = elements.find(isVisible);
      if (!element) return false;
      if (use === 'focus') element.focus();
      if (use === 'focus' && 'select' in element) (element as HTMLInputElement).select();
      return element.contains(document.activeElement);
    },
    use,
    place === undefined ? [target] : [place, target],
  );
}

const supportedSteps = ['press', 'choose', 'type', 'see', 'notSee', 'focusIs', 'scrollsTo'];

/** Whether {@link followSteps} supports a journey: no narrow window, no page of its own, no icon, and no step that controls the browser. */
export const isSupported = ({ at, page, steps }: Journey): boolean =>
  at !== 'narrow' &&
  !page &&
  steps.every((step) => !('theme' in step || 'icon' in step) && supportedSteps.some((kind) => kind in step));

/** Repeats what may be done again, because on a busy machine WebKitGTK loses a key now and then. */
const expectWithKeys = (act: () => Promise<void>) => expect(act).toPass({ timeout: 30_000 });

/** Follows steps of a journey with the keyboard. */
export async function followSteps(visitor: Visitor, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const place = 'in' in step ? step.in : undefined;
    const expectUse = (kind: Use, target: string, outcome = true) =>
      expect
        // It rejects during a navigation.
        .poll(() => useElement(visitor, kind, target, place).catch(String), {
          message: JSON.stringify(step),
          timeout: 30_000,
        })
        .toBe(outcome);
    if ('press' in step) {
      await expectUse('focus', step.press);
      await visitor.type(enterKey);
    } else if ('scrollsTo' in step) {
      const top = () =>
        visitor.run(
          (id) => Math.abs((document.getElementById(id) ?? document.body).getBoundingClientRect().top),
          step.section,
        );
      await expectWithKeys(async () => {
        await expectUse('focus', step.scrollsTo);
        await visitor.type(enterKey);
        // Right below the header, which is lower than 100 px.
        await expect.poll(top, JSON.stringify(step)).toBeLessThan(100);
      });
    } else if ('choose' in step) {
      await expectUse('focus', step.choose);
      await visitor.type(' ');
    } else if ('type' in step) {
      await expectWithKeys(async () => {
        await expectUse('focus', step.type);
        await visitor.type(step.text);
        const value = visitor.run(() => Reflect.get(document.activeElement ?? {}, 'value') as unknown);
        expect(await value).toBe(step.text);
      });
    } else if ('see' in step) await expectUse('see', step.see);
    else if ('notSee' in step) await expectUse('see', step.notSee, false);
    else if ('focusIs' in step) await expectUse('hasFocus', step.focusIs);
    else throw new Error(`No step for other engines: ${JSON.stringify(step)}`);
  }
}
