import type { Locator, Page } from '@playwright/test';
import { acceptLeads } from '../driver/lead-answers.ts';
import { fillIn, leadForms, openLeadForm, rightEntries, sendButton } from '../driver/lead-forms.ts';
import { closeNotice, loadedNoticeRegion, notices } from '../checks/notices.ts';
import { anyWindow, expect, test } from '../site/page-test.ts';
import { swipe } from '../driver/swipe.ts';

/** Sends a message, for which the page shows a notice. */
async function sendMessage(page: Page, answer: string): Promise<Locator> {
  await acceptLeads(page, answer);
  const [contact] = leadForms;
  const form = await openLeadForm(page, contact);
  await fillIn(form, rightEntries);
  await sendButton(form).click();
  const notice = notices(page).filter({ hasText: answer });
  await expect(notice).toBeVisible();
  return notice;
}

test(
  'notices: a new one replaces the previous one, and its cross closes it',
  anyWindow,
  async ({ openSite }) => {
    const page = await openSite();
    const most = await (
      await loadedNoticeRegion(page)
    ).evaluateHandle((region) => {
      const count = { most: 0 };
      new MutationObserver(() => {
        count.most = Math.max(count.most, region.querySelectorAll('li').length);
      }).observe(region, { childList: true, subtree: true });
      return count;
    });
    const first = await sendMessage(page, 'The first message is here.');
    await sendMessage(page, 'The second message is here.');
    await expect(first).toHaveCount(0);
    expect(await most.evaluate((count) => count.most)).toBe(1);

    await closeNotice(page).click();
    await expect(notices(page)).toHaveCount(0);
  },
);

test('notices: close after five seconds, not before', anyWindow, async ({ openSite }) => {
  const page = await openSite();
  await page.clock.install({ time: 0 });
  const shown = await (
    await loadedNoticeRegion(page)
  ).evaluateHandle((region) => {
    const times: number[] = [];
    new MutationObserver(() => times.push(Date.now())).observe(region, { childList: true, subtree: true });
    return times;
  });
  await sendMessage(page, 'Your message is here.');
  // The pointer must not rest on the notice, because that stops its timer.
  await page.mouse.move(0, 0);
  const [shownAt = 0] = await shown.jsonValue();
  const now = await page.evaluate(() => Date.now());

  // The timer of a notice starts shortly before the notice is in the document.
  await page.clock.pauseAt(shownAt + 4800);
  await expect(notices(page)).toBeVisible();
  await page.clock.runFor(now - shownAt + 200);
  await expect(notices(page)).toHaveCount(0);
});

test('notices: F8 moves the focus to them, and it returns', anyWindow, async ({ openSite }) => {
  const page = await openSite();
  const field = page.getByRole('textbox', { name: 'Name' });
  await loadedNoticeRegion(page);
  await field.focus();
  await page.keyboard.press('F8');
  await expect(field).toBeFocused();

  await sendMessage(page, 'Your message is here.');
  await field.focus();
  await page.keyboard.press('F8');
  await expect(notices(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(notices(page)).toHaveCount(0);
  await expect(field).toBeFocused();
});

test('notices: only a long swipe to the right dismisses one', async ({ isMobile, openSite }) => {
  const page = await openSite();
  const notice = await sendMessage(page, 'Your message is here.');
  for (const distance of [45, -120]) {
    await swipe(notice, distance, isMobile);
    await expect(notice).toHaveAttribute('data-state', 'open');
    await expect(notice).not.toHaveAttribute('data-swipe', 'end');
  }
  await swipe(notice, 60, isMobile);
  await expect(notice).toHaveCount(0);
});

test('notices: their empty region does not cover the page', async ({ openSite, page }) => {
  await openSite();
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const inRegion = await (
    await loadedNoticeRegion(page)
  ).evaluate((region, [x, y]) => region.contains(document.elementFromPoint(x, y)), [
    width - 40,
    height - 8,
  ] as const);
  expect(inRegion).toBe(false);
});
