import type { BrowserContext } from '@playwright/test';
import { logNetwork, type LoggedRequest } from './network-log.ts';
import { observePage, type Observed, type Watch } from './observe-page.ts';
import type { Profile } from './profiles.ts';

/** `read`: waits at the top, then scrolls through the page without touching anything. `act`: goes to the call to action as soon as the splash is over, then presses a button. */
export type VisitKind = 'read' | 'act';

/** Everything that was seen of a visit. */
export interface Visit {
  readonly observed: Observed;
  readonly requests: readonly LoggedRequest[];
  /** Start of the navigation on the browser's clock, in seconds. */
  readonly start: number;
}

/** What a page shows that can be used. */
export type WatchedControls = Pick<Watch, 'controls' | 'leastControls'>;

export const landingPageControls: WatchedControls = {
  controls: {
    header: 'header button',
    pricing: '#pricing input[type=radio]',
    callToAction: '#contact form input, #contact form button, #contact button',
  },
  leastControls: 1,
};

const done = 'pageIsDone';

/** A button that is there from the start, on every screen. */
const firstPress = 'header button[aria-label=Theme]';
/** How long a visit may take, in milliseconds. */
const timeout = 60_000;

/** Opens the page in a tab of its own and watches it. */
export async function visit(
  context: BrowserContext,
  url: string,
  profile: Profile,
  kind: VisitKind,
  watched: WatchedControls = landingPageControls,
): Promise<Visit> {
  const page = await context.newPage();
  try {
    page.setDefaultTimeout(timeout);
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: profile.latency,
      downloadThroughput: profile.download < 0 ? -1 : profile.download / 8,
      uploadThroughput: profile.upload < 0 ? -1 : profile.upload / 8,
    });
    await session.send('Emulation.setCPUThrottlingRate', { rate: profile.slowdown });
    const network = logNetwork(session);
    const order: Watch = { ...watched, splash: '#splash', scrollsToCallToAction: kind === 'act', done };
    const ready = Promise.withResolvers<undefined>();
    await page.exposeFunction(done, () => ready.resolve(undefined));
    await page.addInitScript(observePage, order);
    const failure = setTimeout(
      () => ready.reject(new Error(`The page at ${url} was not ready within ${timeout / 1000} s.`)),
      timeout,
    );
    await page.goto(url, { waitUntil: 'commit' });
    await ready.promise.finally(() => clearTimeout(failure));
    if (kind === 'act') {
      await press();
    } else {
      await network.quiet();
      await page.evaluate(scrollThrough);
    }
    await network.quiet();
    const observed = await page.evaluate(
      () => (globalThis as unknown as { observedPage: Observed }).observedPage,
    );
    return {
      observed,
      requests: network.requests,
      start: observed.timeOrigin / 1000 - network.clockOffset,
    };
  } finally {
    await page.close();
  }

  async function press(): Promise<void> {
    const { x, y } = await page.evaluate((selector) => {
      const box = document.querySelector(selector)?.getBoundingClientRect();
      if (!box) throw new Error(`There is no ${selector}.`);
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }, firstPress);
    await page.mouse.click(x, y);
    await page.waitForFunction(
      () => (globalThis as unknown as { observedPage: Observed }).observedPage.interactions.length > 0,
    );
  }
}

/** Runs in the page: from the top to the end, a window at a time, as fast as frames are painted. */
async function scrollThrough(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight * 0.8) {
    scrollTo({ top, behavior: 'instant' });
    await frame();
    await frame();
  }
}
