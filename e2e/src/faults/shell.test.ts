import type { Page } from '@playwright/test';
import { expect, test } from '../site-test.ts';
import { expectNothingTampered } from './expect-whole-page.ts';
import { networkFaults, tamperWith, type NetworkFault } from './spoil-files.ts';

const script = /\/shell\/[^/]+\/shell\.\w+\.js/;

/** Waits until the browser has given up the script, which it says to nobody but the element. */
async function expectRefused(page: Page): Promise<void> {
  await page.waitForFunction(() => Reflect.get(globalThis, 'refused') === true);
}

/** Opens the page in a browser whose animations run fast: the notice shows itself by one, after eight seconds. */
async function open(page: Page, url: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Animation.enable');
  await session.send('Animation.setPlaybackRate', { playbackRate: 100 });
  await page.addInitScript(() => {
    const note = ({ target }: Event) =>
      target instanceof HTMLScriptElement && Object.assign(globalThis, { refused: true });
    document.addEventListener('error', note, { capture: true });
  });
  await page.goto(url, { waitUntil: 'commit' });
}

async function expectNotice(page: Page): Promise<void> {
  await expect(page.getByText('This takes longer than usual.')).toBeVisible();
  await expect(page.locator('#root')).toBeEmpty();
  await expectNothingTampered(page);
}

for (const fault of Object.keys(networkFaults) as NetworkFault[]) {
  test(`while the network ${fault} for the shell’s script, the splash says that something is wrong`, async ({
    page,
    site,
  }) => {
    await page.route(script, networkFaults[fault]);
    const asked = page.waitForRequest(script);
    await open(page, site.url);
    await (fault === 'hangs' ? asked : expectRefused(page));
    await expectNotice(page);
  });
}

for (const [what, edit] of [
  ['one byte more', (content: string) => `${content} `],
  ['a line of somebody else', (content: string) => `globalThis.tampered = 1;${content}`],
] as const) {
  test(`the shell’s script with ${what} does not run, and the splash says that something is wrong`, async ({
    page,
    site,
  }) => {
    await tamperWith(page, script, edit);
    await open(page, site.url);
    await expectRefused(page);
    await expectNotice(page);
  });
}
