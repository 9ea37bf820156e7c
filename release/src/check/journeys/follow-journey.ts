import { isDeepStrictEqual } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import type { Journey } from '@countersign/contracts/journeys';
import type { Locator, Page } from 'playwright-core';
import type { OpenPage } from '../browser/open-page.ts';
import { readPage } from '../invariants/read-page.ts';
import { consent, readField, whyOutOfPlace, whyUnseen } from './elements-in-page.ts';

type Step = Journey['steps'][number];

/** A step that could not be taken. The message says what was there instead. */
class StepFailure extends Error {}

/** Between two looks at the page, in milliseconds. */
const pollInterval = 30;

/**
 * Follows a journey as a visitor would, from the page as it is. Returns why it failed, or `undefined`.
 *
 * @param limit how long a step may take, in milliseconds
 */
export async function followJourney(
  opened: OpenPage,
  { steps }: Journey,
  limit: number,
): Promise<string | undefined> {
  const { page, problems, departures, leads } = opened;
  const known = problems.length;
  const before = await page.evaluate(readPage);
  const allowedDepartures = departures.length + steps.filter((step) => 'leadsTo' in step).length;
  leads.forget();
  for (const [index, step] of steps.entries()) {
    try {
      await takeStep(step, opened, limit);
    } catch (error) {
      if (page.isClosed()) throw error;
      const cause =
        problems.length > known ? `. The page ${problems.slice(known, known + 2).join('; ')}` : '';
      return `step ${index + 1} of ${steps.length} (${describeStep(step)}): ${reasonOf(error)}${cause}`;
    }
  }
  const added = new Set(problems.slice(known));
  if (added.size > 0) return `it works, but the page ${[...added].join('; ')}`;
  if (departures.length > allowedDepartures) return `the page leaves for ${departures.at(-1)}`;
  // A lead must not be sent twice.
  const paths = leads.sent.map(({ path }) => path);
  if (new Set(paths).size < paths.length) return `it works, but sends ${paths.join(' and ')}`;
  // Closes what is still open, which may lock the page.
  await page.keyboard.press('Escape');
  return until(limit, async () => {
    const after = new URL(page.url()).pathname === '/' ? await page.evaluate(readPage) : before;
    const changed = keptByJourneys.find((name) => !isDeepStrictEqual(after[name], before[name]));
    return changed && `it works, but leaves the ${changed} of the page changed: ${after[changed].join(', ')}`;
  }).then(() => undefined, reasonOf);
}

/** What is the same before and after each journey, once Escape is pressed. */
const keptByJourneys = ['title', 'language', 'html', 'body', 'main'] as const;

const firstLine = (error: unknown) => String(error).split('\n', 1)[0]?.slice(0, 200) ?? '';
const reasonOf = (error: unknown) => (error instanceof StepFailure ? error.message : firstLine(error));

/** `press button "Send" in form "Contact"`. */
function describeStep(step: Step): string {
  return Object.entries(step)
    .map(([name, value], index) => {
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      return index === 0 || name === 'in' ? `${name} ${text}` : text;
    })
    .join(' ')
    .slice(0, 160);
}

/** Looks until nothing is wrong any more. Throws a {@link StepFailure} with what still is after the limit. */
async function until(
  limit: number,
  look: () => Promise<string | undefined> | string | undefined,
): Promise<void> {
  const end = performance.now() + limit;
  for (;;) {
    const wrong = await look();
    if (wrong === undefined) return;
    if (performance.now() > end) throw new StepFailure(wrong);
    await delay(pollInterval);
  }
}

/** Playwright scrolls to the element, waits until it stands still, and makes sure that the press reaches it. */
async function press(locator: Locator, limit: number, use: 'press' | 'choose' = 'press'): Promise<void> {
  const timeout = limit;
  try {
    if (use === 'press') {
      const target = locator.filter({ visible: true }).first();
      await target.evaluate(consent, undefined, { timeout });
      return await target.click({ timeout });
    }
    // The control of a label may be invisible, because the label is drawn in its place.
    const labelOf = (control: HTMLElement) => (control as Partial<HTMLInputElement>).labels?.[0] ?? control;
    await (await locator.first().evaluateHandle(labelOf, undefined, { timeout })).click({ timeout });
  } catch (error) {
    throw new StepFailure((await locator.evaluateAll(whyUnseen, { use })) ?? firstLine(error));
  }
}

async function choose(locator: Locator, limit: number): Promise<void> {
  await press(locator, limit, 'choose');
  // A choice that is set back by the page shows as one for a moment.
  await locator
    .page()
    .evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await until(limit, async () => {
    const { isGone, isChosen } = await locator.evaluateAll(readField);
    // A menu closes with the choice.
    return isGone || isChosen ? undefined : 'it is not chosen after it was pressed';
  });
}

async function type(locator: Locator, text: string, limit: number): Promise<void> {
  await press(locator, limit);
  await untilFocused(locator, limit);
  const { keyboard } = locator.page();
  await keyboard.press('ControlOrMeta+A');
  // The first letter by a key, and the others at once, because each key takes 10 ms.
  await keyboard.press(text.slice(0, 1));
  await keyboard.insertText(text.slice(1));
}

function untilFocused(locator: Locator, limit: number): Promise<void> {
  return until(limit, async () => {
    const { focus } = await locator.evaluateAll(readField);
    return focus === undefined ? undefined : `the focus is on ${focus}`;
  });
}

async function takeStep(step: Step, opened: OpenPage, limit: number): Promise<void> {
  const { page, departures, leads } = opened;
  const within = 'in' in step ? step.in : undefined;
  const find = (target: string) => locate(page, target, within);

  if ('press' in step) await press(find(step.press), limit);
  else if ('choose' in step) await choose(find(step.choose), limit);
  else if ('type' in step) await type(find(step.type), step.text, limit);
  else if ('key' in step) {
    for (let times = step.times ?? 1; times > 0; times -= 1) await page.keyboard.press(step.key);
  } else if ('see' in step) {
    const options = { use: 'see', theme: step.theme } as const;
    await until(limit, () => find(step.see).evaluateAll(whyUnseen, options));
  } else if ('notSee' in step) {
    const isVisible = () => find(step.notSee).filter({ visible: true }).count();
    await until(limit, async () => ((await isVisible()) > 0 ? 'it is still there' : undefined));
  } else if ('hasValue' in step) {
    await until(limit, async () => {
      const { isGone, value = '' } = await find(step.hasValue).evaluateAll(readField);
      if (isGone) return 'it is not there';
      return value === step.value ? undefined : `it holds ${JSON.stringify(value)}`;
    });
  } else if ('focusIs' in step) await untilFocused(find(step.focusIs), limit);
  else if ('leadsTo' in step) {
    const before = departures.length;
    const address = new URL(step.address.replace('{appHost}', opened.site.appHost), page.url());
    await press(find(step.leadsTo), limit);
    await until(limit, () => {
      const reached = departures.slice(before).map((departure) => departure.split('?', 1)[0] ?? '');
      if (reached.includes(address.href)) return undefined;
      return `it leads to ${reached.at(-1) ?? 'nothing'} instead of ${address.href}`;
    });
    // The shell covers the page until the navigation is over, or ended by the visitor.
    await page.keyboard.press('Escape');
  } else if ('scrollsTo' in step) {
    await press(find(step.scrollsTo), limit);
    await until(limit, () => page.evaluate(whyOutOfPlace, step.section));
  } else if ('answers' in step) leads.answers.set(step.answers, step);
  else if ('sends' in step) {
    await until(limit, () => {
      const sent = leads.sent.findLast(({ path }) => path === step.sends);
      if (!sent) return 'nothing is sent';
      const wrong = Object.entries(step.fields).filter(([name, value]) => sent.fields[name] !== value);
      if (wrong.length === 0) return undefined;
      return `it gets ${JSON.stringify(sent.fields).slice(0, 200)}, without the right ${wrong.map(([name]) => name).join(', ')}`;
    });
    leads.release(step.sends);
  } else await opened.open(step.reload);
}

/** The elements that a target of a journey names: `#contact`, `"a text"`, `dialog` or `button "Yearly"`. */
function locate(page: Page, target: string, within: string | undefined): Locator {
  const scope = within === undefined ? page : locate(page, within, undefined);
  if (target.startsWith('#')) return scope.locator(target);
  const [, role, name] = /^(\w+)?(?: ?"(.*)")?$/s.exec(target) ?? [];
  if (role === undefined) return scope.getByText(name ?? '');
  return scope.getByRole(
    role as Parameters<Page['getByRole']>[0],
    name === undefined ? {} : { name, exact: true },
  );
}
