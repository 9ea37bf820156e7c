import { slotCount } from '../checks/expect-whole-page.ts';
import { expect, test } from './engine-test.ts';
import { international, rightLead, type Visit } from './visit.ts';

const dialog = '[role=dialog]';
/** Width of a window whose header has a menu button. */
const narrow = 800;

const expectDialogs = ({ visitor }: Visit, count: number) =>
  expect
    .poll(() => visitor.run((selector) => document.querySelectorAll(selector).length, dialog))
    .toBe(count);

const expectTheme = ({ visitor }: Visit, theme: 'light' | 'dark') =>
  expect.poll(() => visitor.run(() => document.documentElement.dataset['theme'])).toBe(theme);

/** Waits until a section is at the top of the window, below the header. */
const expectAtTop = ({ visitor }: Visit, id: string) =>
  expect
    .poll(() => visitor.run((wanted) => document.getElementById(wanted)?.getBoundingClientRect().top, id))
    .toBeLessThan(100);

test('engine: the page works from the menu to a stored lead', async ({ engine, site, visit }) => {
  const { visitor } = visit;
  await visitor.setWidth(narrow);
  await visit.open();
  await expectTheme(visit, 'light');
  await visit.expectSlotsInPlace();

  await test.step('the menu chooses the theme and leads to a section', async () => {
    await visit.press('button', 'Open menu');
    await expectDialogs(visit, 1);
    await visit.focusOn(`${dialog} input`, 'Dark');
    await visitor.type(' ');
    await expectTheme(visit, 'dark');
    await visit.press(`${dialog} a`, 'Pricing');
    await expectDialogs(visit, 0);
    await expectAtTop(visit, 'pricing');
  });

  await test.step('a plan shows the price of the chosen interval', async () => {
    await visit.expectText('$12.99');
    for (const [interval, price] of [
      ['Yearly', '$129.99'],
      ['Monthly', '$12.99'],
    ] as const) {
      await visit.focusOn('[aria-label$="Team Leader"] input', interval);
      await visitor.type(' ');
      await visit.expectText(price);
    }
  });

  await test.step('the trial form shows errors, and then stores the lead', async () => {
    const name = `Ada of ${engine.name}`;
    await visit.press('#contact button', 'Start Free Trial');
    await expectDialogs(visit, 1);
    await visit.press(`${dialog} button[type=submit]`);
    await visit.expectText('Name must be at least 2 characters');
    await visit.expectText('Please enter a valid email address');
    await visit.expectText('Message must be at least 10 characters');
    await visit.fillInAndSend(name, { form: `${dialog} form` });
    await visit.expectText('Success!');
    await expectDialogs(visit, 0);
    const opener = '#contact button[aria-haspopup=dialog]';
    const hasFocus = () => visitor.run((selector) => document.activeElement?.matches(selector), opener);
    await expect.poll(hasFocus, { message: 'the button that opened the dialog has the focus' }).toBe(true);
    expect(site.leads(name)).toMatchObject([{ ...rightLead, type: 'trial' }]);
  });

  await test.step('the contact form stores the lead', async () => {
    const name = `Grace of ${engine.name}`;
    await visit.fillInAndSend(name, { email: international.typed });
    const stored = { ...rightLead, email: international.stored };
    await expect.poll(() => site.leads(name)).toMatchObject([stored]);
  });
  await visit.expectNoErrors();

  await test.step('a second visit hydrates the chosen theme', async () => {
    await visit.open();
    await expectTheme(visit, 'dark');
    await visit.expectHydratedInPlace();
  });

  await test.step('an unknown path shows the 404 page', async () => {
    await visitor.open(`${visit.site.url}/no/such/page`);
    await visit.expectText('404 Page Not Found');
    await expectTheme(visit, 'dark');
    await visit.expectNoErrors();
  });
});

test.describe(() => {
  test.use({ javaScript: false });

  test('engine: without JavaScript the page has every section, and its form works', async ({
    engine,
    site,
    visit,
  }) => {
    await visit.visitor.open(visit.site.url);
    const slots = await visit.slots();
    expect(slots).toHaveLength(slotCount);
    expect(slots.filter(({ text, version }) => text === '' || version !== null)).toEqual([]);
    await visit.expectText('What each plan includes');

    const name = `Ada without script of ${engine.name}`;
    await visit.fillInAndSend(name, { email: international.typed });
    await visit.expectText('Thank you');
    expect(site.leads(name)).toMatchObject([{ ...rightLead, email: international.stored }]);
  });
});
