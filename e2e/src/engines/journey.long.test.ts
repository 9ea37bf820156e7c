import { slotCount } from '../checks/slot-count.ts';
import type { Visitor } from './engine.ts';
import { expect, test } from './engine-test.ts';
import { fillInAndSend, international, leadsOf, rightLead } from './fill-in-form.ts';
import {
  expectHydratedInPlace,
  expectNoErrors,
  expectSlotsInPlace,
  expectText,
  focusOn,
  openPage,
  press,
  shownSlots,
} from './visit-page.ts';

const dialog = '[role=dialog]';
/** Width of a window whose header has a menu button. */
const narrow = 800;

const expectDialogs = (visitor: Visitor, count: number) =>
  expect
    .poll(() => visitor.run((selector) => document.querySelectorAll(selector).length, dialog))
    .toBe(count);

const expectTheme = (visitor: Visitor, theme: 'light' | 'dark') =>
  expect.poll(() => visitor.run(() => document.documentElement.dataset['theme'])).toBe(theme);

/** Waits until a section is at the top of the window, below the header. */
const expectAtTop = (visitor: Visitor, id: string) =>
  expect
    .poll(() => visitor.run((wanted) => document.getElementById(wanted)?.getBoundingClientRect().top, id))
    .toBeLessThan(100);

test('engine: the page works from the menu to a stored lead', async ({
  engine,
  site,
  visitor,
  watchedSite,
}) => {
  await visitor.setWidth(narrow);
  await openPage(visitor, watchedSite);
  await expectTheme(visitor, 'light');
  await expectSlotsInPlace(visitor, engine);

  await test.step('the menu chooses the theme and leads to a section', async () => {
    await press(visitor, 'button', 'Open menu');
    await expectDialogs(visitor, 1);
    await focusOn(visitor, `${dialog} input`, 'Dark');
    await visitor.type(' ');
    await expectTheme(visitor, 'dark');
    await press(visitor, `${dialog} a`, 'Pricing');
    await expectDialogs(visitor, 0);
    await expectAtTop(visitor, 'pricing');
  });

  await test.step('a plan shows the price of the chosen interval', async () => {
    await expectText(visitor, '$12.99');
    await focusOn(visitor, '[aria-label$="Team Leader"] input', 'Yearly');
    await visitor.type(' ');
    await expectText(visitor, '$129.99');
    await focusOn(visitor, '[aria-label$="Team Leader"] input', 'Monthly');
    await visitor.type(' ');
    await expectText(visitor, '$12.99');
  });

  await test.step('the trial form names what is wrong, and then stores the lead', async () => {
    const name = `Ada of ${engine.name}`;
    await press(visitor, '#contact button', 'Start Free Trial');
    await expectDialogs(visitor, 1);
    await press(visitor, `${dialog} button[type=submit]`);
    await expectText(visitor, 'Name must be at least 2 characters');
    await expectText(visitor, 'Please enter a valid email address');
    await expectText(visitor, 'Message must be at least 10 characters');
    await fillInAndSend(visitor, name, { form: `${dialog} form` });
    await expectText(visitor, 'Success!');
    await expectDialogs(visitor, 0);
    const opener = '#contact button[aria-haspopup=dialog]';
    const hasFocus = () => visitor.run((selector) => document.activeElement?.matches(selector), opener);
    await expect.poll(hasFocus, { message: 'the button that opened the dialog has the focus' }).toBe(true);
    expect(leadsOf(site.dataDirectory, name)).toMatchObject([{ ...rightLead, type: 'trial' }]);
  });

  await test.step('the contact form stores the lead', async () => {
    const name = `Grace of ${engine.name}`;
    await fillInAndSend(visitor, name);
    await expect.poll(() => leadsOf(site.dataDirectory, name)).toMatchObject([rightLead]);
  });
  await expectNoErrors(visitor, engine);

  await test.step('a second visit hydrates the chosen theme', async () => {
    await openPage(visitor, watchedSite);
    await expectTheme(visitor, 'dark');
    await expectHydratedInPlace(visitor, engine, watchedSite);
  });

  await test.step('an unknown address is not found', async () => {
    await visitor.open(`${watchedSite.url}/no/such/page`);
    await expectText(visitor, '404 Page Not Found');
    await expectTheme(visitor, 'dark');
    await expectNoErrors(visitor, engine);
  });
});

test.describe(() => {
  test.use({ javaScript: false });

  test('engine: without JavaScript the page has every section, and its form works', async ({
    engine,
    site,
    visitor,
    watchedSite,
  }) => {
    await visitor.open(watchedSite.url);
    const slots = await shownSlots(visitor);
    expect(slots).toHaveLength(slotCount);
    expect(slots.filter(({ text, version }) => text === '' || version !== null)).toEqual([]);
    await expectText(visitor, 'What each plan includes');

    const name = `Ada without script of ${engine.name}`;
    await fillInAndSend(visitor, name, { email: international.typed });
    await expectText(visitor, 'Thank you');
    expect(leadsOf(site.dataDirectory, name)).toMatchObject([{ ...rightLead, email: international.stored }]);
  });
});
