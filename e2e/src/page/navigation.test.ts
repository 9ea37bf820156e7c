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
  await page.goBack();
  await expectScrolledTo(page, 'pricing');
  await page.goBack();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
});

test(
  'navigation: the logo leads to the top without a reload',
  onceOnDesktop,
  async ({ isMobile, openSite }) => {
    const page = await openSite();
    const navigation = await openNavigation(page, isMobile);
    await navigation.getByRole('link', { name: 'Pricing' }).click();
    await expectScrolledTo(page, 'pricing');
    await page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }));

    const logo = page.getByRole('banner').getByRole('link', { name: 'Countersign' });
    await logo.click();
    await expect.poll(() => page.evaluate(() => scrollY), { intervals: [50] }).toBe(0);
    await expect(page).toHaveURL(/[^#]*\/$/);
    await expect(logo).toBeFocused();
    expect(await page.evaluate(() => Reflect.get(globalThis, 'isSameDocument') as unknown)).toBe(true);
    await page.goBack();
    await expectScrolledTo(page, 'pricing');
  },
);

test('side menu: Back closes it', async ({ isMobile, openSite }) => {
  test.skip(!isMobile, 'The header of a desktop has room for the navigation.');
  const page = await openSite();
  await (await openNavigation(page, isMobile)).getByRole('link', { name: 'Pricing' }).click();
  await expectScrolledTo(page, 'pricing');
  const menu = await openNavigation(page, isMobile);
  await page.goBack();
  await expect(menu).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused();
});

test('side menu: slides in from the right, and its cross closes it', async ({ isMobile, openSite }) => {
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

  await menu.getByRole('button', { name: 'Close menu' }).click();
  await expect(menu).toHaveCount(0);
});
