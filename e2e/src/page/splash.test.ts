import type { Page } from '@playwright/test';
import { expectScrolledTo } from '../checks/expect-scrolled-to.ts';
import { expect, test } from '../site/page-test.ts';
import { slotOf } from '../driver/landing-page.ts';

test.use({ fullSplash: true });

test('splash: covers the page for exactly two seconds of the page’s clock', async ({ page }) => {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.goto('/');
  await page.getByRole('contentinfo', { includeHidden: true }).waitFor({ state: 'attached' });
  const splash = page.locator('#splash');
  const age = await page.evaluate(() => performance.now());
  // Until 1 ms before the end of the splash.
  await page.clock.runFor(1999 - Math.ceil(age));
  await expect(splash).toBeVisible();
  expect(await splash.boundingBox()).toEqual({ x: 0, y: 0, ...page.viewportSize() });
  await expect(page.locator('#root')).toHaveAttribute('inert');

  await page.clock.runFor(2);
  await expect(splash).toHaveCount(0);
  await expect(page.locator('#root')).not.toHaveAttribute('inert');
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await expect(page.locator('[aria-busy]')).toHaveCount(0);
});

test('splash: does not return when a link scrolls to a section', async ({ openSite, page }) => {
  await page.addInitScript(() => {
    let splashes = 0;
    new MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
      splashes += added.filter((node) => node instanceof Element && node.id === 'splash').length;
      document.documentElement.dataset['splashes'] = String(splashes);
    }).observe(document, { childList: true, subtree: true });
  });
  await openSite('/#pricing');
  await expectScrolledTo(page, 'pricing');

  await page.getByRole('banner').getByRole('link', { name: 'Contact' }).click();
  await expectScrolledTo(page, 'contact');
  await page.goBack();
  await expectScrolledTo(page, 'pricing');
  await expect(page.locator('html')).toHaveAttribute('data-splashes', '1');
});

/** States of the animations of the hero's illustration, and when the last of them ends. With `finish`, they end at once. */
const animationsOf = (page: Page, { finish = false } = {}) =>
  slotOf(page, './hero').evaluate((hero, finish) => {
    const animations = document.getAnimations().filter((animation) => {
      const { effect } = animation;
      return (
        animation instanceof CSSAnimation && effect instanceof KeyframeEffect && hero.contains(effect.target)
      );
    });
    const ends = animations.map(({ effect }) => Number(effect?.getComputedTiming().endTime));
    const states = animations.map(({ playState }) => playState);
    if (finish) for (const animation of animations) animation.finish();
    return { states, end: Math.max(...ends) };
  }, finish);

test('illustration: waits for the end of the splash, and shows the latest step once', async ({ page }) => {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.goto('/');
  const { states, end } = await animationsOf(page);
  expect(states.length).toBeGreaterThan(5);
  expect([...new Set(states)]).toEqual(['paused']);
  expect(end).toBeLessThanOrEqual(4000);

  await page.clock.runFor(2000);
  await expect(page.locator('#root')).not.toHaveAttribute('inert');
  // The browser updates a section with `content-visibility` in the next frame.
  await expect.poll(async () => (await animationsOf(page)).states).toContain('running');
  await animationsOf(page, { finish: true });
  await page.clock.resume();
  await page.getByRole('button', { name: 'Watch Demo' }).click();
  await expect(slotOf(page, './hero')).toHaveAttribute('data-version');
  expect((await animationsOf(page)).states).toEqual([]);
});

for (const media of [{ reducedMotion: 'reduce' }, { media: 'print' }] as const) {
  test(`illustration: nothing moves with ${JSON.stringify(media)}`, async ({ page }) => {
    await page.emulateMedia(media);
    await page.goto('/');
    expect((await animationsOf(page)).states).toEqual([]);
    await expect(page.locator('[data-moment="request"]').first()).toHaveCSS('opacity', '1');
  });
}
