import type { Page } from '@playwright/test';
import { expect, test } from '../site-test.ts';
import { expectNothingTampered } from './expect-whole-page.ts';
import { networkFaults, tamperWith, type NetworkFault } from './spoil-files.ts';

const script = /\/shell\/[^/]+\/shell\.\w+\.js/;

/** Opens the page in a browser whose animations run fast: the notice shows itself by one, after eight seconds. */
async function open(page: Page, url: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Animation.enable');
  await session.send('Animation.setPlaybackRate', { playbackRate: 100 });
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
    await open(page, site.url);
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
    await expectNotice(page);
  });
}
