import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { OpenPage } from '../browser/open-page.ts';
import { visitors, type VisitorName } from '../browser/visitors.ts';
import type { Observation } from './invariants.ts';
import { contentTooWide, readBlocks, readPage, pressSlots, walkThrough } from './read-page.ts';

/** How often Tab is pressed. */
const tabs = 100;
/** How often a path may be requested. */
const maxRequests = 20;
/** How long blocks may take to run once they are used: after an error, and without one. In milliseconds. */
const runLimitAfterError = 1_500;
const runLimit = 5_000;

/** React's hydration errors, in production and development builds. */
const mismatch = /failed to hydrate|Minified React error #(418|423|425)\b|Hydration failed/;

interface Looks {
  /** Remote → version that must run. */
  readonly versions?: Readonly<Record<string, string>>;
  /** Selectors of the elements that axe looks at, if the visitor looks thoroughly. */
  readonly accessible?: readonly string[] | undefined;
}

/** Opens a page as a visitor, and uses it as everybody does: scrolls, presses Tab, uses each block, and prints. */
export async function observePage(
  opened: OpenPage,
  visitor: VisitorName,
  { versions = {}, accessible }: Looks,
): Promise<Observation> {
  const { page, problems, departures } = opened;
  const isPatient = visitor === 'wide';
  // The settings in `visitors.ts` prefer reduced motion. This visitor sees the motion, and the whole splash.
  if (isPatient) await page.emulateMedia({ reducedMotion: 'no-preference' });
  await opened.open('/', isPatient);
  if (visitor === 'plain') return page.evaluate(readBlocks);
  const loaded = [...opened.served];
  const atOnce = await page.evaluate(readPage);
  const functions = await page.evaluate(() => globalThis.replacedFunctions?.() ?? []);
  const walked = await page.evaluate(walkThrough);
  const tooWide = await page.evaluate(contentTooWide);
  const isThorough = visitors[visitor].looks === 'thoroughly';
  const used = isThorough ? await scroll(page) : {};
  const tab = visitor === 'wide' ? { tab: await pressTab(page) } : {};
  const notRunning = await runBlocks(opened, versions);
  const blocks = await page.evaluate(readBlocks);
  await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' });
  const printed = (await page.evaluate(readBlocks)).hidden.filter((block) => !blocks.hidden.includes(block));
  await page.emulateMedia({ media: null });
  const reflow = visitor === 'narrow' ? await observeReflow(page) : {};
  const faults =
    isThorough && accessible ? await observeAccessibility(page, accessible, visitor === 'narrow') : {};
  const errors = problems.map((problem) =>
    mismatch.test(problem)
      ? `renders something else in the page than in its fragments (${problem})`
      : problem,
  );
  const because = errors.length > 0 ? ` (${errors.slice(0, 3).join('; ')})` : '';
  const requests = Map.groupBy(opened.served, (path) => path);
  return {
    repeated: [...requests].flatMap(([path, { length }]) => (length > maxRequests ? [path] : [])),
    ...{ ...atOnce, functions, ...walked, ...used, ...tab, ...blocks, printed, loaded },
    'sideways scroll': tooWide,
    departures: [...departures],
    problems: notRunning.length > 0 ? [`does not come to life in the live shell${because}`] : errors,
    ...{ ...reflow, ...faults },
  };
}

/** What WCAG 2.2 asks for (reflow). */
async function observeReflow(page: Page): Promise<Observation> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 700 });
  const tooWide = await page.evaluate(contentTooWide);
  if (size) await page.setViewportSize(size);
  return { 'sideways scroll at 320 px': tooWide };
}

/** Uses all blocks until those of some versions run. Returns those that do not. */
async function runBlocks({ page, problems }: OpenPage, versions: Readonly<Record<string, string>>) {
  const start = performance.now();
  for (;;) {
    const waiting = await page.evaluate(pressSlots, versions);
    const limit = problems.length > 0 ? runLimitAfterError : runLimit;
    if (waiting.length === 0 || performance.now() - start > limit) return waiting;
    await delay(50);
  }
}

async function scroll(page: Page): Promise<Observation> {
  const { width = 0 } = page.viewportSize() ?? {};
  const place = () => page.evaluate(() => scrollY);
  const movesBy = async (act: () => Promise<unknown>) => {
    const before = await place();
    await act();
    for (let looks = 0; looks < 15; looks += 1) {
      if (Math.abs((await place()) - before) > 60) return ['the page scrolls'];
      await delay(40);
    }
    return [];
  };
  await page.mouse.move(width / 2, 500);
  const wheel = await movesBy(() => page.mouse.wheel(0, 600));
  const session = await page.context().newCDPSession(page);
  const gesture = { x: width / 2, y: 600, yDistance: -300, gestureSourceType: 'touch', speed: 4000 } as const;
  const touch =
    width < 500 ? await movesBy(() => session.send('Input.synthesizeScrollGesture', gesture)) : [];
  await session.detach();
  const keys = await movesBy(() => page.keyboard.press('PageDown'));
  return { wheel, touch, keys };
}

/** The elements that Tab reaches, in order. */
async function pressTab(page: Page): Promise<readonly string[]> {
  await page.evaluate(() => {
    scrollTo({ top: 0, behavior: 'instant' });
    const reached: string[] = [];
    Object.assign(globalThis, { reachedByTab: reached });
    const note = ({ target }: Event) => {
      if (!(target instanceof Element)) return;
      const remote = target.closest<HTMLElement>('[data-remote]')?.dataset['remote'] ?? 'shell';
      const name =
        target.getAttribute('aria-label') ??
        (target.textContent.trim().slice(0, 40) || target.getAttribute('name'));
      reached.push(`${remote}: ${target.localName} "${name ?? ''}"`);
    };
    addEventListener('focusin', note, true);
  });
  await Promise.all(Array.from({ length: tabs }, () => page.keyboard.press('Tab')));
  return page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    scrollTo({ top: 0, behavior: 'instant' });
    return Reflect.get(globalThis, 'reachedByTab') as string[];
  });
}

const { resolve } = createRequire(import.meta.url);

/**
 * What axe finds in some elements.
 *
 * @param isForColours only the contrast of colours, which depends on the theme
 */
async function observeAccessibility(
  page: Page,
  selectors: readonly string[],
  isForColours: boolean,
): Promise<Observation> {
  // Half as large as the source that its module has.
  const source = await readFile(resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(`${source}; undefined`);
  return { accessibility: await page.evaluate(runAxe, { selectors, isForColours }) };
}

/** Runs in the page, after axe. */
async function runAxe({ selectors, isForColours }: { selectors: readonly string[]; isForColours: boolean }) {
  const { axe: runner } = globalThis as unknown as { axe: typeof axe };
  const include = selectors.filter((each) => document.querySelector(each)).map((each) => [each]);
  if (include.length === 0) return [];
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await runner.run(
    { include },
    {
      resultTypes: ['violations'],
      // Not stylesheets, which no rule of these reads.
      preload: { assets: ['media'] },
      runOnly: isForColours ? { type: 'rule', values: ['color-contrast'] } : { type: 'tag', values: tags },
    },
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${help} (${id}): ${html.slice(0, 80)}`),
  );
}
