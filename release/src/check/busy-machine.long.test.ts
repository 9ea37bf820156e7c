import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineJourneys, press, see } from '@countersign/contracts/journeys';
import { openBrowser } from './browser/open-browser.ts';
import { openTab } from './browser/open-tab.ts';
import { limits, Pace } from './browser/pace.ts';
import { browserOfTests } from '../testing/config.ts';
import { siteWithBody } from '../testing/site-with-body.ts';
import { observePage } from './invariants/observe-page.ts';
import { JourneyRun } from './journeys/run-journeys.ts';

/** A page with a button that shows a text, and a script that may change during a test. */
const siteOf = (script: () => string) => {
  const main = `<main data-remote="mf-pricing" data-state="running"><h1>Plans</h1><button onclick="this.after('Shown')">More</button></main>`;
  const body = `<body style="height: 4000px">${main}<script src="/use.js"></script></body>`;
  return siteWithBody(body, { '/use.js': script });
};

/** A pace on a machine where the live page has missed a limit before. */
function busyPace(): Pace {
  let ahead = 0;
  const pace = new Pace(() => performance.now() + ahead);
  const stop = pace.start(10_000, { isLive: true, largestFraction: 0 }, () => undefined);
  ahead = 11_000;
  stop();
  return pace;
}

const sound = () => '';
const dead = () => `document.querySelector('button').onclick = null;`;
/** Shows the button soon after it was scrolled to, but draws nothing before for longer than the limit. */
const fading = () => `const button = document.querySelector('button');
  button.style.opacity = 0;
  button.scrollIntoView = () => {
    scrollTo(0, 0);
    requestAnimationFrame(() => {
      for (const start = performance.now(); performance.now() < start + ${limits.controls.one + 200}; );
      setTimeout(() => { button.style.opacity = 1; }, 100);
    });
  };`;

test('busy machine: a page whose frames stop past a limit scrolls and fades in', async ({ mock }) => {
  await using browser = await openBrowser(browserOfTests);
  await using tab = await openTab(browser, siteOf(fading), 'patient', new Pace());
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  // Chromium draws in this process.
  const drawing = processInfo.find(({ type }) => type === 'GPU');
  assert(drawing);
  const { keyboard } = tab.page;
  const press = keyboard.press.bind(keyboard);
  let isStopped = false;
  mock.method(keyboard, 'press', (key: string) => {
    if (key === 'End' && !isStopped) {
      isStopped = true;
      process.kill(drawing.id, 'SIGSTOP');
      const goOn = () => process.kill(drawing.id, 'SIGCONT');
      AbortSignal.timeout(limits.scroll + 500).addEventListener('abort', goOn);
    }
    return press(key);
  });
  const { traps, keys, covered } = await observePage(tab, ['mf-pricing']);
  assert.deepEqual({ traps, keys, covered }, { traps: [], keys: ['PageDown', 'End', 'Home'], covered: [] });
});

test('busy machine: a failing journey is refused, or undecided if the live page fails', async () => {
  await using browser = await openBrowser(browserOfTests);
  const journeys = defineJourneys({ 'more is shown': [press('button "More"'), see('"Shown"')] });
  const follow = async (liveScript: () => string, pace: Pace, liveJourneys = journeys) => {
    const parts = [{ part: 'mf-pricing', journeys, liveJourneys, isThorough: true }] as const;
    const [site, liveSite] = [siteOf(dead), siteOf(liveScript)];
    const stepLimits = [300, 1_500] as const;
    const run = new JourneyRun(browser, { site, liveSite, parts, pace, stepLimits });
    await run.follow('wide');
    assert.deepEqual(run.secondAttempts, []);
    return { broken: run.broken.map(({ name }) => name), undecided: run.undecided };
  };
  const isRefused = { broken: ['more is shown'], undecided: [] };
  assert.deepEqual(await follow(sound, busyPace()), isRefused);
  assert.deepEqual(await follow(dead, new Pace()), isRefused);
  // The live version does not promise it.
  assert.deepEqual(await follow(dead, busyPace(), {}), isRefused);
  const { broken, undecided } = await follow(dead, busyPace());
  assert.deepEqual(broken, []);
  assert.match(
    undecided.join(),
    /^the live page fails, too, at "more is shown": step 2 of 2 .* 1024 × 480 px\)$/,
  );
});
