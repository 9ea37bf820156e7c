import { AxeBuilder } from '@axe-core/playwright';
import { pageReportPath } from '@countersign/contracts/part-event';
import type { PartName } from '@countersign/contracts/remotes';
import { themeStorageKey } from '@countersign/contracts/shell-api';
import type { Page } from 'playwright-core';
import { summarizeList } from '../../platform/summarize-list.ts';
import { pollWhileFound } from '../browser/poll-while-found.ts';
import type { Tab } from '../browser/open-tab.ts';
import { limits } from '../browser/pace.ts';
import { visitors } from '../browser/visitors.ts';
import type { Observation } from './invariants.ts';
import { pressScrollKeys, pressTab } from './press-keys.ts';
import { chooseOptions, readContent, readLinks, readPinned } from './read-content.ts';
import {
  contentTooWide,
  pressSlots,
  readSlots,
  readPage,
  swallowedEvents,
  waitForFrames,
  walkThrough,
} from './read-page.ts';
import { recordChanges } from './record-changes.ts';
import { scrollPage } from './scroll-page.ts';

/** How often a path may be requested. */
const maxRequests = 20;
/** From how many seconds on a task is too long. */
const longTask = 3;
/** How long scripts may run in two frames, in milliseconds, and how often that is measured. */
const maxWork = 30;
const frames = 8;

/** React's hydration errors, in production and development builds. */
const mismatch = /failed to hydrate|Minified React error #(418|423|425)\b|Hydration failed/;

/** An observation that grows as the page is used. */
type Growing = { -readonly [Name in keyof Observation]: Observation[Name] };

/** Selector of the elements of some parts. The whole page belongs to a shell. */
export const elementsOf = (parts: readonly PartName[]) =>
  parts.includes('shell') ? 'html' : parts.map((part) => `[data-remote="${part}"]`).join();

/**
 * Opens a page as a visitor, and uses it as visitors do: scrolls, presses Tab, uses each slot, and prints.
 *
 * @param parts those whose elements are observed closely
 * @param versions remote → version that must run. The live page may run any
 */
export async function observePage(
  tab: Tab,
  parts: readonly PartName[],
  versions: Readonly<Record<string, string>> = {},
): Promise<Observation> {
  const { page, visitor } = tab;
  const selector = elementsOf(parts);
  const isPatient = visitor === 'patient';
  // The settings in `visitors.ts` prefer reduced motion. This visitor sees the motion, and the whole splash.
  if (isPatient) await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.addInitScript(recordChanges, selector);
  await tab.open('/', { isPatient });
  const loaded = [...tab.served];
  const { title, language, head, place } = await page.evaluate(readPage, themeStorageKey);
  if (visitor === 'plain') return { ...(await page.evaluate(readSlots)), title, language, head };
  const pinned = await page.evaluate(readPinned);
  const used = await usePage(tab, selector);
  const notRunning = await runSlots(tab, versions);
  if (visitors[visitor].skipsTime) await skipTime(tab);
  const left = await observeUsedPage(tab, selector);
  const { violations = [] } = left;
  const because = violations.length > 0 ? ` (${violations.slice(0, 3).join('; ')})` : '';
  return {
    ...left,
    ...used,
    loaded,
    // The use has moved its place.
    place,
    pinned,
    hidden: [...(left.hidden ?? []), ...(used.hidden ?? [])],
    violations:
      notRunning.length > 0
        ? [`has slots that do not come to life: ${summarizeList(notRunning)}${because}`]
        : violations,
  };
}

/** Uses a page without its slots: chooses, walks through its controls, scrolls, presses Tab, and makes the window narrower. */
async function usePage(tab: Tab, selector: string): Promise<Observation> {
  const { page, visitor } = tab;
  const isNarrow = visitor === 'narrow';
  await page.evaluate(chooseOptions, selector);
  const { one, all } = limits.controls;
  const seen: Growing = await page.evaluate(walkThrough, { one: tab.limitOf(one), all: tab.limitOf(all) });
  if (visitors[visitor].inspects === 'thoroughly') {
    Object.assign(seen, await scrollPage(tab, selector, { byTouch: isNarrow }));
    seen.keys = await pressScrollKeys(tab);
  }
  if (visitor === 'patient') seen.tab = await pressTab(page);
  const size = page.viewportSize();
  // WCAG 2.2 (reflow): all content is there in a window of 320 px.
  if (isNarrow && size) await page.setViewportSize({ ...size, width: 320 });
  seen['sideways scroll'] = await page.evaluate(contentTooWide);
  if (size) await page.setViewportSize(size);
  return seen;
}

/** Observes a page after its use, and the events that it has recorded. */
async function observeUsedPage(tab: Tab, selector: string): Promise<Observation> {
  const { page, served, visitor } = tab;
  const isThorough = visitors[visitor].inspects === 'thoroughly';
  const events = await page.evaluate(swallowedEvents);
  const slots = await page.evaluate(readSlots);
  const seen: Growing = { events, ...slots, ...(await page.evaluate(readContent, selector)) };
  if (isThorough) seen.frames = await findWork(page);
  Object.assign(seen, await page.evaluate(() => globalThis.readChanges?.()));
  seen.replaced = await page.evaluate(() => globalThis.readFields?.() ?? []);
  await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' });
  seen.printed = (await page.evaluate(readSlots)).hidden.filter((slot) => !slots.hidden.includes(slot));
  await page.emulateMedia({ media: null });
  if (isThorough)
    seen.accessibility = await findAxeViolations(page, selector, { onlyContrast: visitor === 'narrow' });
  Object.assign(seen, await page.evaluate(readPage, themeStorageKey));
  seen['long tasks'] = await readLongTasks(tab);
  const deadEnds: string[] = [];
  for (const { name, pathname, isDead } of await page.evaluate(readLinks))
    if (isDead || !(await tab.site.read(pathname))) deadEnds.push(name);
  seen['dead ends'] = deadEnds;
  seen.violations = tab.violations.map((violation) =>
    mismatch.test(violation)
      ? `renders something else in the page than in its fragments (${violation})`
      : violation,
  );
  if (visitor === 'tablet') seen.reports = await readReports(tab);
  const requests = Map.groupBy(served, (path) => path);
  seen.repeated = [...requests].flatMap(([path, { length }]) => (length > maxRequests ? [path] : []));
  seen.departures = [...tab.departures];
  // The shell reports each view after 10 s.
  seen.sent = served.filter((path) => path.startsWith('/api/') && path !== pageReportPath);
  return seen;
}

/** The tasks that took too long. A version may take longer on a busy machine; those of the live page all count in its favour. */
async function readLongTasks({ page, isLive, pace }: Tab): Promise<readonly string[]> {
  const tasks = await page.evaluate(() => globalThis.longTasks ?? []);
  const least = longTask * (isLive ? 1 : pace.factor);
  return tasks.filter((seconds) => seconds >= least).map((seconds) => `for ${seconds} s`);
}

/** The reports that the page sends as the visitor leaves. Not for visitors with a storage, which would keep the place. */
async function readReports(tab: Tab): Promise<readonly string[]> {
  await tab.page.evaluate(() => dispatchEvent(new Event('pagehide')));
  const reports = () => tab.served.filter((path) => path === pageReportPath);
  await pollWhileFound(tab.limitOf(limits.fade), () => (reports().length === 0 ? true : undefined));
  return reports();
}

/**
 * Sets the clock of the page 15 s ahead, to see what it changes later. Not while something is loaded, because its time limit would
 * end, too; that of Module Federation is 20 s.
 */
async function skipTime(tab: Tab): Promise<void> {
  const isLoading = () => (tab.pending.size > 0 ? true : undefined);
  if (await pollWhileFound(tab.limitOf(limits.run), isLoading)) return;
  // Some frames before, in which the last timers are set, and after, in which it is drawn what they change.
  await tab.page.evaluate(waitForFrames);
  await tab.page.clock.fastForward(15_000);
  await tab.page.evaluate(waitForFrames);
}

/** Uses all slots until those of some versions run. Returns those that do not. */
async function runSlots(tab: Tab, versions: Readonly<Record<string, string>>) {
  const findWaiting = async () => {
    const waiting = await tab.page.evaluate(pressSlots, versions);
    return waiting.length > 0 ? waiting : undefined;
  };
  return (await pollWhileFound(tab.limitOf(limits.run), findWaiting)) ?? [];
}

/** Whether scripts work in each frame, so that the page never comes to rest. */
async function findWork(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1000;
  };
  let least = Infinity;
  // One short frame is enough.
  for (let frame = 0; frame < frames && least > maxWork; frame += 1) {
    const before = await worked();
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    least = Math.min(least, (await worked()) - before);
  }
  await session.detach();
  return least > maxWork ? [`scripts run for ${Math.round(least / 2)} ms in each frame`] : [];
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Violations that axe finds in some elements. In the narrow page, only the contrast of colours, which depends on the theme. */
async function findAxeViolations(
  page: Page,
  selector: string,
  { onlyContrast }: { readonly onlyContrast: boolean },
): Promise<readonly string[]> {
  // Without a second page in which axe merges the results of frames, and without stylesheets, which no rule of these reads.
  const axe = new AxeBuilder({ page }).include(selector).setLegacyMode();
  axe.options({ resultTypes: ['violations'], preload: { assets: ['media'] } });
  const { violations } = await (
    onlyContrast ? axe.withRules('color-contrast') : axe.withTags(standards)
  ).analyze();
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${help} (${id}): ${html.slice(0, 80)}`),
  );
}
