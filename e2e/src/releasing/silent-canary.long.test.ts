import type { Browser } from '@playwright/test';
import { leadForms, rightEntries, sendLead } from '../driver/lead-forms.ts';
import { hidePage, openPage } from '../driver/open-page.ts';
import { restamp } from '../site/site-test.ts';
import { builtFolder } from '../site/running-site.ts';
import { newVisitor, startWatch, visitUntilEnded } from './canary-watch.ts';
import { expect, pricingVersions, type ReleasedSite, test } from './release-test.ts';

test.setTimeout(300_000);

/** Opens the page as a new visitor, presses a button of the fixture, and closes the page. */
async function visitAndPress(browser: Browser, { url }: ReleasedSite): Promise<void> {
  const { context, page } = await newVisitor(browser);
  await openPage(page, url);
  await page.getByRole('button', { name: 'Work', exact: true }).click();
  // Two frames later the browser has measured the click.
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
  expect((await hidePage(page)).status()).toBe(204);
  await context.close();
}

test('watch: a canary whose clicks are slow is rolled back', async ({ browser, released }) => {
  const { fixture, isSlow } = pricingVersions;
  await released.release.promote('mf-pricing', fixture);
  await released.release.canary('mf-pricing', isSlow, 50);
  const watch = await startWatch(released, 'mf-pricing', '--views', '12', '--promote');
  try {
    await visitUntilEnded(watch, () =>
      Promise.all([visitAndPress(browser, released), visitAndPress(browser, released)]),
    );
    expect(watch.code()).toBe(1);
    expect(watch.lines.at(-1)).toMatch(
      new RegExp(
        `^mf-pricing ${isSlow} was rolled back: (\\d+) of \\1 views slow, 0 of \\d+ of the stable version$`,
      ),
    );
  } finally {
    watch.stop();
  }
});

/** Opens the page as a new visitor, sends a lead of its own, and waits until the visitor is told about it. */
async function visitAndSend(browser: Browser, { url }: ReleasedSite): Promise<void> {
  const { context, page } = await newVisitor(browser);
  await openPage(page, url);
  const form = await sendLead(page, leadForms[0], {
    ...rightEntries,
    Email: `visitor-${crypto.randomUUID()}@example.com`,
    Message: `We sign contract ${crypto.randomUUID()}.`,
  });
  await expect(form.getByRole('status').filter({ hasText: /\w/ })).toBeVisible();
  expect((await hidePage(page)).status()).toBe(204);
  await context.close();
}

test('watch: a canary whose form sends nothing, without an error, is rolled back by its missing leads', async ({
  browser,
  released,
}) => {
  const { release, variables } = released;
  const version = '94.0.0';
  const broken = await restamp(builtFolder('mf-leads'), variables['DATA_DIR'] ?? '', version, {
    '`/api/${': '`/gone/${',
  });
  await release.publish('mf-leads', broken);
  await release.canary('mf-leads', version, 50);
  const watch = await startWatch(released, 'mf-leads', '--views', '1000', '--goal', 'leads');
  try {
    const send = () => visitAndSend(browser, released);
    await visitUntilEnded(watch, () => Promise.all([send(), send(), send()]));
    expect(watch.code()).toBe(1);
    expect(watch.lines.at(-1)).toMatch(
      /^mf-leads 94\.0\.0 was rolled back: 0 leads in \d+ views, \d\d in \d+ of the stable version$/,
    );
    expect((await release.status('mf-leads')).canary).toBeUndefined();
  } finally {
    watch.stop();
  }
});
