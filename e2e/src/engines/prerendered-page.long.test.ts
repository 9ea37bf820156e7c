import { restamp } from '../site/restamp.ts';
import { rightEntries } from '../driver/lead-forms.ts';
import { releaseInto } from '../site/release-into.ts';
import { builtFolder } from '../site/running-site.ts';
import type { Visitor } from './engine.ts';
import { expect, test } from './engine-test.ts';
import { fillInTheRestAndSend, international, leadsOf, rightLead } from './fill-in-form.ts';
import {
  expectHydratedInPlace,
  expectNoErrors,
  expectText,
  focusOn,
  openPage,
  shownSlots,
  useEverySlot,
} from './visit-page.ts';

/** The focused element and its value. */
const focused = (visitor: Visitor) =>
  visitor.run(() => {
    const field = document.activeElement;
    return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
      ? { name: field.name, value: field.value }
      : undefined;
  });

test('engine: input before the form’s code loads stays, and is sent', async ({
  engine,
  site,
  visitor,
  watchedSite,
}) => {
  const code = watchedSite.hold(/^\/(?:mf-leads\/.*|entries\.\w+)\.js$/);
  await openPage(visitor, watchedSite);
  await focusOn(visitor, '#contact [name=name]');
  await visitor.type('Ada in');
  const [form] = (await shownSlots(visitor)).slice(-2);
  expect(form).toMatchObject({ version: null });
  code.release();
  await useEverySlot(visitor);
  expect(await focused(visitor)).toEqual({ name: 'name', value: 'Ada in' });

  await visitor.type(' a hurry');
  expect(await focused(visitor)).toEqual({ name: 'name', value: 'Ada in a hurry' });
  await fillInTheRestAndSend(visitor);
  await expectText(visitor, 'Success!');
  expect(leadsOf(site.dataDirectory, 'Ada in a hurry')).toMatchObject([rightLead]);
  await expectNoErrors(visitor, engine);
});

test('engine: without a network, the form says what to do; its input is kept and can be sent', async ({
  site,
  visitor,
  watchedSite,
}) => {
  await openPage(visitor, watchedSite);
  await useEverySlot(visitor);
  const name = 'Ada without network';
  await focusOn(visitor, '#contact [name=name]');
  await visitor.type(name);
  const network = watchedSite.disconnect(/^\/api\/contact$/);
  await fillInTheRestAndSend(visitor, { email: international.typed });

  const status = () => visitor.run(() => document.querySelector('#contact form [role=status]')?.textContent);
  await expect
    .poll(status)
    .toBe(
      'We could not reach our server. Check your internet connection, then try again: what you typed is still here.',
    );
  const kept = await visitor.run(() =>
    [...document.querySelectorAll<HTMLInputElement>('#contact form :is([name=name], [name=message])')].map(
      ({ value }) => value,
    ),
  );
  expect(kept).toEqual([name, rightEntries.Message]);
  const hasFocus = () => visitor.run(() => document.activeElement?.matches('#contact form [type=submit]'));
  await expect.poll(hasFocus, { message: 'the button has the focus' }).toBe(true);

  network.restore();
  await visitor.pressEnter();
  await expectText(visitor, 'Success!');
  expect(leadsOf(site.dataDirectory, name)).toMatchObject([{ ...rightLead, email: international.stored }]);
});

test('engine: a canary is hydrated in place, with its own markup', async ({
  engine,
  site,
  visitor,
  watchedSite,
}) => {
  const { dataDirectory } = site;
  const version = '85.0.0';
  const release = releaseInto({ DATA_DIR: dataDirectory });
  const words = { 'What each plan includes': 'What is in each plan' };
  await release.publish(
    'mf-pricing',
    await restamp(builtFolder('mf-pricing'), dataDirectory, version, words),
  );
  await release.canary('mf-pricing', version, 100);
  try {
    await openPage(visitor, watchedSite);
    const canary = (await expectHydratedInPlace(visitor, engine, watchedSite)).filter(
      (slot) => slot.version === version,
    );
    expect(canary).toEqual([
      expect.objectContaining({
        prerendered: version,
        text: expect.stringContaining('What is in each plan'),
      }),
    ]);
    expect(watchedSite.reports).toContainEqual(
      expect.objectContaining({ part: 'mf-pricing', version, group: 'canary', outcome: 'loaded' }),
    );
  } finally {
    await release.read('rollback', 'mf-pricing');
  }
});
