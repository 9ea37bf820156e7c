import type { BrowserContext } from '@playwright/test';
import { logNetwork, type LoggedRequest } from './network-log.ts';
import { observePage, type Observed, type Watch } from './observe-page.ts';

/**
 * Throttling of network and CPU: the latency of each request in milliseconds, the rates in bits per second (-1 means unlimited), and how
 * many times slower the processor is.
 */
export const profiles = {
  slow: {
    title: 'slow 4G (150 ms, 1.6 Mbit/s), CPU 4 × slower',
    latency: 150,
    download: 1.6e6,
    upload: 0.75e6,
    slowdown: 4,
  },
  fast: {
    title: 'fast 4G (60 ms, 9 Mbit/s), CPU 2 × slower',
    latency: 60,
    download: 9e6,
    upload: 1.5e6,
    slowdown: 2,
  },
  loopback: { title: 'loopback, not slowed', latency: 0, download: -1, upload: -1, slowdown: 1 },
} as const;

export type ProfileName = keyof typeof profiles;

/**
 * `read`: waits at the top, then scrolls through the page without interaction. `act`: scrolls to the call to
 * action after the splash, then clicks a button.
 */
type VisitKind = 'read' | 'act';

/** Observations of a visit. */
export interface Visit {
  readonly observed: Observed;
  readonly requests: readonly LoggedRequest[];
  /** Start of the navigation on the browser's clock, in seconds. */
  readonly start: number;
}

/** Selectors of the page's controls. */
const controls = {
  header: 'header button',
  pricing: '#pricing input[type=radio]',
  callToAction: '#contact form input, #contact form button, #contact button',
};

/** Message of {@link observePage} on the console. */
const done = 'The page is done.';

/** A button in the initial markup, visible on every screen. */
const firstClickTarget = 'header button[aria-label=Theme]';
/** Timeout of a visit, in milliseconds. */
const timeout = 60_000;

/** Opens the page in a new tab and observes it. */
export async function visit(
  context: BrowserContext,
  url: string,
  profile: (typeof profiles)[ProfileName],
  kind: VisitKind,
): Promise<Visit> {
  const page = await context.newPage();
  try {
    page.setDefaultTimeout(timeout);
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    // Profiles have bits per second, the protocol bytes; negative values mean no limit.
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: profile.latency,
      downloadThroughput: profile.download < 0 ? -1 : profile.download / 8,
      uploadThroughput: profile.upload < 0 ? -1 : profile.upload / 8,
    });
    await session.send('Emulation.setCPUThrottlingRate', { rate: profile.slowdown });
    const network = logNetwork(session);
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => void errors.push(message));
    page.on('console', (message) => {
      // The shell's message of a part that fails. It shows another version then, which would be measured.
      if (message.type() === 'error' && / failed/.test(message.text())) errors.push(message.text());
    });
    const watch: Watch = { controls, splash: '#splash', scrollsToCallToAction: kind === 'act', done };
    await page.addInitScript(observePage, watch);
    const ready = page.waitForEvent('console', (message) => message.text() === done);
    await Promise.all([ready, page.goto(url, { waitUntil: 'commit' })]);
    if (kind === 'act') {
      await click();
    } else {
      await network.idle();
      await page.evaluate(scrollThrough);
    }
    await network.idle();
    const observed = await page.evaluate(
      () => (globalThis as unknown as { observedPage: Observed }).observedPage,
    );
    // An error distorts the figures: a part that fails to hydrate, for example, renders again.
    const [error] = errors;
    if (error !== undefined) throw new Error(`The page at ${url} has an error: ${error}`);
    return {
      observed,
      requests: network.requests,
      start: observed.timeOrigin / 1000 - network.clockOffset,
    };
  } finally {
    await page.close();
  }

  async function click(): Promise<void> {
    const { x, y } = await page.evaluate((selector) => {
      const box = document.querySelector(selector)?.getBoundingClientRect();
      if (!box) throw new Error(`There is no ${selector}.`);
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }, firstClickTarget);
    await page.mouse.click(x, y);
    await page.waitForFunction(
      () => (globalThis as unknown as { observedPage: Observed }).observedPage.interactions.length > 0,
    );
  }
}

/** Runs in the page: scrolls to the end in steps of less than a viewport, two frames each. */
async function scrollThrough(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight * 0.8) {
    scrollTo({ top, behavior: 'instant' });
    await frame();
    await frame();
  }
}
