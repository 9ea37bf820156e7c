import type { Page } from '@playwright/test';
import { endSplashWithout, failFirst, networkFaults, tamperWith } from '../driver/open-page.ts';
import { type RunningSite, startServer } from '../site/running-site.ts';
import { expect, test } from '../site/site-test.ts';
import {
  emptySlots,
  expectNothingTampered,
  expectWholePage,
  slotCount,
} from '../checks/expect-whole-page.ts';
import { sectionOf, slotOf } from '../driver/landing-page.ts';

const script = /\/shell\/[^/]+\/shell\.\w+\.js/;

/** Opens the page and waits until the shell's script has failed to load. Only the element gets that event. */
async function openWithoutShell(page: Page, url: string): Promise<void> {
  await page.addInitScript(() => {
    const note = ({ target }: Event) =>
      target instanceof HTMLScriptElement && Object.assign(globalThis, { refused: true });
    document.addEventListener('error', note, { capture: true });
  });
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForFunction(() => Reflect.get(globalThis, 'refused') === true);
}

/** Expects the complete page as plain HTML after the splash, with working links and forms. */
async function expectPlainPage(page: Page): Promise<void> {
  await expect(page.locator('#splash')).toBeHidden();
  await expect(page.locator('#root')).not.toHaveAttribute('inert');
  const slots = page.locator('[data-remote]');
  await expect(slots).toHaveCount(slotCount);
  await expect(page.locator('[data-version]')).toHaveCount(0);
  expect(await emptySlots(slots)).toEqual([]);
  await expectNothingTampered(page);

  await page.getByRole('banner').getByRole('link', { name: 'Pricing' }).click();
  await expect(page.getByRole('heading', { name: 'Team Leader' })).toBeInViewport();
  const signIn = page.getByRole('banner').getByRole('link', { name: 'Sign In' });
  await expect(signIn).toHaveAttribute('href', 'https://app.countersign.example/login');
}

/** Submits the contact form without script, as a plain HTML form. */
async function expectLeadStored(page: Page, site: RunningSite, name: string): Promise<void> {
  const form = sectionOf(page, 'contact').getByRole('form');
  const [email, message] = ['ada@example.com', 'We sign forty contracts a week.'];
  for (const [label, text] of Object.entries({ Name: name, Email: email, Message: message })) {
    await form.getByRole('textbox', { name: label }).fill(text);
  }
  await form.getByRole('button').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you');
  expect(site.leads(name)).toMatchObject([{ type: 'contact', email, message }]);
}

const scriptFaults: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'answers 404': (page) => page.route(script, networkFaults['answers 404']),
  hangs: (page) => page.route(script, networkFaults.hangs),
  'throws at its start': (page) =>
    page.addInitScript(() => {
      const { addEventListener } = window;
      window.addEventListener = (...listener: Parameters<typeof addEventListener>) => {
        // The shell is the only one that listens to it on the window.
        if (listener[0] === 'keydown') throw new Error('a broken shell');
        addEventListener(...listener);
      };
    }),
  'has an added line': (page) => tamperWith(page, script, (content) => `globalThis.tampered = 1;${content}`),
};

for (const [what, breakScript] of Object.entries(scriptFaults)) {
  test(`shell: if its script ${what}, the plain HTML page works`, async ({ page, site }) => {
    await endSplashWithout(page, 'shell');
    await breakScript(page);
    if (/404|line/.test(what)) await openWithoutShell(page, site.url);
    else await page.goto('/', { waitUntil: 'commit' });
    await expectPlainPage(page);
    // The attribute says that no code will run. A script that hangs may still load.
    if (what !== 'hangs') await expect(page.locator('html')).toHaveAttribute('data-plain');
    await expectLeadStored(page, site, `Ada, whose script ${what}`);
  });
}

test('shell: a script that gets 503 once is requested again, and the page works', async ({ page }) => {
  await endSplashWithout(page, 'shell');
  await failFirst(page, script);
  await page.goto('/', { waitUntil: 'commit' });
  await expectWholePage(page);
});

test('shell: in an unsupported browser, the plain HTML page works', async ({ page }) => {
  // The page's first script recognises supported browsers by this property.
  await page.addInitScript(() => Reflect.deleteProperty(Document.prototype, 'adoptedStyleSheets'));
  await page.goto('/');
  await expect(page.locator('html')).toHaveAttribute('data-plain');
  await expectPlainPage(page);
});

test.describe(() => {
  test.use({ fullSplash: true });

  test('shell: without its script, the splash ends after two seconds, in the stored theme', async ({
    page,
  }) => {
    await page.route(script, networkFaults['answers 404']);
    await page.addInitScript(() => localStorage.setItem('countersign-theme', 'dark'));
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    await page.goto('/');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    // The clock stands still, but the age of the document is not 0, and the splash counts from its start.
    const age = await page.evaluate(() => performance.now());
    // 1 ms before the end of the splash.
    await page.clock.runFor(1999 - Math.ceil(age));
    await expect(page.locator('#splash')).toBeVisible();
    await expect(page.locator('#root')).toHaveAttribute('inert');
    await page.clock.runFor(2);
    await expectPlainPage(page);
  });
});

/** Serves the first part of a site's HTML, and then nothing. Closing the server cuts the HTML off. */
async function serveCutPage(site: string, share: number) {
  const html = Buffer.from(await (await fetch(site, { headers: { accept: 'text/html' } })).arrayBuffer());
  return startServer(({ url }, response) => {
    if (url !== '/') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': html.length });
    response.write(html.subarray(0, html.length * share));
  }, 'localhost');
}

test.describe(() => {
  test.use({ fullSplash: true });

  // HTML that ends before the hero covers the page for 8 s, the longest splash. Otherwise, the splash ends after 2 s.
  for (const [share, lastSlot, wait, fault] of [
    [0.97, './call-to-action', 2000, 'stalls'],
    [0.25, './header', 8000, 'is cut off'],
  ] as const) {
    test(`shell: HTML that ${fault} at ${share * 100} % is usable after ${wait} ms`, async ({
      page,
      site,
    }) => {
      const cut = await serveCutPage(site.url, share);
      await page.clock.install({ time: 0 });
      await page.goto(cut.url, { waitUntil: 'commit' });
      await slotOf(page, lastSlot).waitFor({ state: 'attached' });
      if (fault === 'is cut off') await cut.close();
      await page.clock.runFor(wait);
      await expect(page.locator('#splash')).toHaveCount(0);
      await expect(page.locator('[inert]')).toHaveCount(0);
      // The page waits 8 s for the element of the shell's script, which is missing here, and then says that no code will run.
      await page.clock.runFor(8000 - wait);
      await expect(page.locator('html')).toHaveAttribute('data-plain');
      await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
      await expect(page.getByRole('banner').getByRole('button')).toHaveCount(0);
      await page.getByRole('banner').getByRole('link', { name: 'Pricing' }).click();
      await cut.close();
    });
  }
});
