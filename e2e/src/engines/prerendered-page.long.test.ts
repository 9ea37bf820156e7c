import { restamp } from '../site/site-test.ts';
import { builtFolder, releaseInto } from '../site/running-site.ts';
import { expect, test } from './engine-test.ts';
import { rightLead } from './visit.ts';

test('engine: input before the form’s code loads stays, and is sent', async ({ site, visit }) => {
  const { visitor } = visit;
  const expectFocusedValue = async (value: string) => {
    const focused = await visitor.run(() => {
      const field = document.activeElement;
      return field instanceof HTMLInputElement ? { name: field.name, value: field.value } : undefined;
    });
    expect(focused).toEqual({ name: 'name', value });
  };
  const code = visit.site.hold(/^\/(?:mf-leads\/.*|entries\.\w+)\.js$/);
  await visit.open();
  await visit.focusOn('#contact [name=name]');
  await visitor.type('Ada in');
  const [form] = (await visit.slots()).slice(-2);
  expect(form).toMatchObject({ version: null });
  code.release();
  await visit.useEverySlot();
  await expectFocusedValue('Ada in');

  await visitor.type(' a hurry');
  await expectFocusedValue('Ada in a hurry');
  await visit.fillInAndSend(undefined);
  await visit.expectText('Success!');
  expect(site.leads('Ada in a hurry')).toMatchObject([rightLead]);
  await visit.expectNoErrors();
});

test('engine: a canary is hydrated in place, with its own markup', async ({ site, visit }) => {
  const { dataDirectory } = site;
  const version = '85.0.0';
  const text = 'What is in each plan';
  const release = releaseInto({ DATA_DIR: dataDirectory });
  const replacements = { 'What each plan includes': text };
  const built = await restamp(builtFolder('mf-pricing'), dataDirectory, version, replacements);
  await release.publish('mf-pricing', built);
  await release.canary('mf-pricing', version, 100);
  try {
    await visit.open();
    const canary = (await visit.expectHydratedInPlace()).filter((slot) => slot.version === version);
    expect(canary).toEqual([
      expect.objectContaining({ prerendered: version, text: expect.stringContaining(text) }),
    ]);
    expect(visit.site.reports).toContainEqual(
      expect.objectContaining({ part: 'mf-pricing', version, group: 'canary', measure: 'viewed' }),
    );
  } finally {
    await release.run('rollback', 'mf-pricing');
  }
});

test('engine: a release and its rollback are seen with the next view', async ({ site, visit }) => {
  const { dataDirectory } = site;
  const release = releaseInto({ DATA_DIR: dataDirectory });
  const stable = (await release.status('mf-pricing')).live;
  const version = '86.0.0';
  await release.publish('mf-pricing', await restamp(builtFolder('mf-pricing'), dataDirectory, version));
  const expectNextView = async (expected: string) => {
    await visit.open();
    const slots = await visit.expectSlotsInPlace();
    expect(slots.map((slot) => slot.version)).toContain(expected);
  };
  await expectNextView(stable);
  await release.promote('mf-pricing', version);
  await expectNextView(version);
  await release.run('rollback', 'mf-pricing');
  await expectNextView(stable);
});
