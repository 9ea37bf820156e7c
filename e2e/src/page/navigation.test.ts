import { expectScrolledTo } from '../checks/expect-scrolled-to.ts';
import { openNavigation } from '../driver/landing-page.ts';
import { onceOnDesktop, expect, test } from '../site/page-test.ts';

test('navigation: Back returns to the previous place', onceOnDesktop, async ({ isMobile, openSite }) => {
  const page = await openSite();
  // Without smooth scrolling, the page stands elsewhere at once.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const label of ['Pricing', 'Contact']) {
    const navigation = await openNavigation(page, isMobile);
    await navigation.getByRole('link', { name: label }).click();
    await expectScrolledTo(page, label.toLowerCase());
  }
  const logo = page.getByRole('banner').getByRole('link', { name: 'Countersign' });
  await logo.click();
  await expect(logo).toBeFocused();
  for (const section of ['contact', 'pricing']) {
    await page.goBack();
    await expectScrolledTo(page, section);
  }
  await page.goBack();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
});

test('side menu: slides in from the right', async ({ isMobile, openSite }) => {
  test.skip(!isMobile, 'The header of a desktop has room for the navigation.');
  const page = await openSite();
  await expect(page.getByRole('banner').getByRole('navigation')).toBeHidden();

  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Animation.enable');
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 0 });
  const menu = await openNavigation(page, isMobile);
  const windowWidth = Number(page.viewportSize()?.width);
  const edges = async () => {
    const box = await menu.boundingBox();
    return box && { left: Math.round(box.x), right: Math.round(box.x + box.width) };
  };
  expect((await edges())?.left).toBe(windowWidth);

  await devtools.send('Animation.setPlaybackRate', { playbackRate: 1 });
  await expect.poll(async () => (await edges())?.right).toBe(windowWidth);
  expect((await edges())?.left).toBeGreaterThan(0);
});
