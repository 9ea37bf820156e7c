import { isDeepStrictEqual } from 'node:util';
import { consentAttribute } from '@countersign/contracts/fragment';
import type { Journey } from '@countersign/contracts/journeys';
import { themeStorageKey } from '@countersign/contracts/shell-api';
import type { Locator, Page } from 'playwright-core';
import { pollWhileFound } from '../browser/poll-while-found.ts';
import type { Tab } from '../browser/open-tab.ts';
import { readPage } from '../invariants/read-page.ts';
import * as inPage from './elements-in-page.ts';

type Step = Journey['steps'][number];
type Role = Parameters<Page['getByRole']>[0];
/** Why a step is not fulfilled. `undefined` if it is. */
type Reason = string | undefined;

/** Why a journey failed. */
export interface JourneyFailure {
  /** The step that failed, and what the page shows in its place. */
  readonly why: string;
  /** Number of the step that failed, from 1. `undefined` if each step passed, or the page failed as a whole. */
  readonly step?: number;
  /** If each step passed: what the page did that no page may do. */
  readonly violations?: readonly string[];
}

/**
 * Follows a journey as a visitor would, from the page as it is. Returns why it failed, or `undefined`.
 *
 * @param limit how long a step may take, in milliseconds, longer where the live page takes long
 */
export async function followJourney(
  tab: Tab,
  { steps }: Journey,
  limit: number,
): Promise<JourneyFailure | undefined> {
  const { page, violations, departures, leads } = tab;
  const known = violations.length;
  // Not read again, because a change between two journeys counts, too.
  const before = (tab.initialObservation ??= await page.evaluate(readPage, themeStorageKey));
  const allowedDepartures = departures.length + steps.filter((step) => 'leadsTo' in step).length;
  leads.forget();
  for (const [index, step] of steps.entries()) {
    try {
      if (needsCode(step, steps.slice(0, index))) await tab.releaseHeldCode();
      await takeStep(step, tab, tab.limitOf(limit));
    } catch (error) {
      if (page.isClosed()) throw error;
      // Such as `type textbox "Name" text Ada in form "Contact"`.
      const words = Object.entries(step)
        .flat()
        .filter((word) => typeof word !== 'object');
      const causes = violations.slice(known, known + 2).map((violation) => `. The page ${violation}`);
      const place = `step ${index + 1} of ${steps.length} (${words.join(' ')})`;
      return { step: index + 1, why: `${place}: ${reasonOf(error)}${causes.join('')}` };
    }
  }
  await tab.releaseHeldCode();
  const added = [...new Set(violations.slice(known))];
  if (added.length > 0) return { why: `it works, but the page ${added.join('; ')}`, violations: added };
  if (departures.length > allowedDepartures) return { why: `the page leaves for ${departures.at(-1)}` };
  // A lead must not be sent twice.
  const paths = leads.sent.map(({ path }) => path);
  if (new Set(paths).size < paths.length) return { why: `it works, but sends ${paths.join(' and ')}` };
  // Closes what is still open, which may lock the page.
  await page.keyboard.press('Escape');
  const mustBeRestored = ['title', 'language', 'html', 'body', 'main', 'functions'] as const;
  return waitUntilFulfilled(tab.limitOf(limit), async () => {
    const after =
      new URL(page.url()).pathname === '/' ? await page.evaluate(readPage, themeStorageKey) : before;
    const key = mustBeRestored.find((name) => !isDeepStrictEqual(after[name], before[name]));
    if (!key) return undefined;
    const [was, is] = [before[key] ?? [], after[key] ?? []];
    const gone = was.filter((item) => !is.includes(item)).map((item) => `no longer ${item}`);
    const changes = [...is.filter((item) => !was.includes(item)), ...gone];
    return `it works, but leaves the ${key} of the page changed: ${changes.join(', ')}`;
  }).then(
    () => undefined,
    (error: unknown) => ({ why: reasonOf(error) }),
  );
}

/** Steps that a person takes without the code of the parts. */
const stepsWithoutCode = ['press', 'choose', 'type', 'key', 'answers', 'leadsTo', 'scrollsTo'];

/**
 * Whether a step needs the code of the parts: it observes the page, or presses a button after something was typed. Without the code, such
 * a press would make the browser send the form.
 */
function needsCode(step: Step, before: readonly Step[]): boolean {
  const isSending = 'press' in step && before.some((each) => 'type' in each);
  return isSending || !stepsWithoutCode.some((name) => name in step);
}

/** First line of an error. */
const reasonOf = (error: unknown) => /^(?:Error: )?(.*)/.exec(String(error))?.[1] ?? '';

/** Polls until `find` returns no reason. Throws the last reason after the limit (ms). */
async function waitUntilFulfilled(limit: number, find: () => Promise<Reason> | Reason): Promise<void> {
  const why = await pollWhileFound(limit, find);
  if (why !== undefined) throw new Error(why);
}

/** Does what a step says, and waits until it is fulfilled. */
async function takeStep(step: Step, tab: Tab, limit: number): Promise<void> {
  const { page, site, departures, leads, runsScripts } = tab;
  const scope = 'in' in step && step.in !== undefined ? locate(page, step.in) : page;
  const find = (target: string) => locate(scope, target);

  if ('press' in step) await press(find(step.press), limit);
  else if ('choose' in step) {
    await press(find(step.choose), limit, { isOption: true });
    await waitUntilFulfilled(limit, () =>
      find(step.choose).evaluateAll(inPage.whyNotChosen, { runsScripts, isPressed: true }),
    );
  } else if ('isChosen' in step)
    await waitUntilFulfilled(limit, () =>
      find(step.isChosen).evaluateAll(inPage.whyNotChosen, { runsScripts }),
    );
  else if ('type' in step) {
    await press(find(step.type), limit);
    await waitUntilFulfilled(limit, () => find(step.type).evaluateAll(inPage.whyUnfocused));
    await page.keyboard.press('ControlOrMeta+A');
    // The first letter by a key, and the others at once, because each key takes 10 ms.
    await page.keyboard.press(step.text.slice(0, 1));
    await page.keyboard.insertText(step.text.slice(1));
  } else if ('key' in step) {
    for (let times = step.times ?? 1; times > 0; times -= 1) await page.keyboard.press(step.key);
  } else if ('see' in step)
    await waitUntilFulfilled(limit, () => find(step.see).evaluateAll(inPage.whyUnseen, step));
  else if ('notSee' in step) {
    const shown = find(step.notSee).filter({ visible: true });
    await waitUntilFulfilled(limit, async () =>
      (await shown.count()) > 0 ? 'it is still there' : undefined,
    );
  } else if ('hasValue' in step) {
    await waitUntilFulfilled(limit, () => find(step.hasValue).evaluateAll(inPage.whyOtherValue, step.value));
  } else if ('focusIs' in step)
    await waitUntilFulfilled(limit, () => find(step.focusIs).evaluateAll(inPage.whyUnfocused));
  else if ('leadsTo' in step) {
    const { length } = departures;
    const { href } = new URL(step.address.replace('{appHost}', site.appHost), page.url());
    await press(find(step.leadsTo), limit);
    await waitUntilFulfilled(limit, () => {
      const reached = departures.slice(length).at(-1)?.split('?', 1)[0];
      return reached === href ? undefined : `it leads to ${reached ?? 'no other page'} instead of ${href}`;
    });
    // The shell covers the page until the navigation is over, or ended by the visitor.
    await page.keyboard.press('Escape');
  } else if ('scrollsTo' in step) {
    await press(find(step.scrollsTo), limit);
    await waitUntilFulfilled(limit, () => page.evaluate(inPage.whyOutOfPlace, step.section));
  } else if ('answers' in step) leads.answers.set(step.answers, step);
  else if ('sends' in step) {
    await waitUntilFulfilled(limit, () => {
      const sent = leads.sent.findLast(({ path }) => path === step.sends);
      if (!sent) return 'nothing is sent';
      const wrong = Object.keys(step.fields).filter((name) => sent.fields[name] !== step.fields[name]);
      if (wrong.length === 0) return undefined;
      return `it gets ${JSON.stringify(sent.fields).slice(0, 200)}, without the right ${wrong.join(', ')}`;
    });
    leads.answerHeld();
  } else if ('goBack' in step) await page.evaluate(() => history.back());
  else await tab.open(step.reload);
}

/** Playwright scrolls to the element, waits until it stands still, and makes sure that the press reaches it. */
async function press(
  locator: Locator,
  timeout: number,
  { isOption = false }: { readonly isOption?: boolean } = {},
): Promise<void> {
  const shown = isOption ? locator.first() : locator.filter({ visible: true }).first();
  try {
    await shown.evaluate(inPage.tickConsent, consentAttribute, { timeout });
    await waitUntilFulfilled(timeout, () => shown.evaluate(inPage.whyOutOfReach, undefined, { timeout }));
    const pressed = isOption ? await shown.evaluateHandle(inPage.labelOf) : shown;
    await pressed.click({ timeout });
  } catch (cause) {
    // The obstacle at Playwright's last attempt.
    const [, obstacle] =
      /[^]*- (<.* intercepts pointer events|element is (?:not|outside)[a-z ]*)/.exec(String(cause)) ?? [];
    const why = obstacle ?? (await locator.evaluateAll(inPage.whyUnseen, {}));
    throw new Error(why ?? reasonOf(cause), { cause });
  }
}

/** The elements that a target of a journey names: `#contact`, `"a text"`, `dialog` or `button "Yearly"`. */
function locate(scope: Page | Locator, target: string): Locator {
  if (target.startsWith('#')) return scope.locator(target);
  const [role = '', name = ''] = target.split('"');
  if (role === '') return scope.getByText(name);
  return scope.getByRole(role.trim() as Role, name === '' ? {} : { name, exact: true });
}
