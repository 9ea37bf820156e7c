import { focusIs, choose, notSee, press, see, type } from '@countersign/contracts/journeys';
import { remoteNames } from '@countersign/contracts/remotes';
import { missingPackages } from '../browser/engine-commands.ts';
import { slotCount } from '../checks/expect-whole-page.ts';
import { rightEntries } from '../driver/lead-forms.ts';
import { broken, expect, live, test as siteTest, throwsOnRender } from '../site/site-test.ts';
import { followSteps } from './follow-steps.ts';
import { startVisitor, type EngineOptions, type Visitor } from './visitor.ts';

interface EngineFixtures {
  readonly javaScript: boolean;
  /** A first visit. The test is skipped if the engine is not installed. */
  readonly visitor: Visitor;
}

const test = siteTest.extend<EngineFixtures, EngineOptions>({
  engineName: ['firefox', { scope: 'worker', option: true }],
  javaScript: [true, { option: true }],
  visitor: async ({ engineName, javaScript }, use, testInfo) => {
    const missing = missingPackages(engineName);
    testInfo.skip(missing.length > 0, `Not installed: ${missing.join(' ')}`);
    const visitor = await startVisitor[engineName](javaScript);
    await use(visitor);
    await visitor.close();
  },
});

/** Steps that fill in a form. */
const fillIn = (place: '#contact' | 'dialog', name: string) =>
  Object.entries({ ...rightEntries, Name: name }).map(([field, text]) =>
    type(`textbox "${field}"`, text, { in: place }),
  );
const storedLead = {
  email: rightEntries.Email,
  company: rightEntries.Company,
  message: rightEntries.Message,
};

/** Uses every slot, and waits until each shows its expected version. */
async function expectVersions({ run }: Visitor, versionOf: (prerendered: string | null) => string | null) {
  const versions = () =>
    run(() =>
      [...document.querySelectorAll('[data-remote]')].map((slot) => {
        slot.firstElementChild?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
        return [slot.getAttribute('data-prerendered'), slot.getAttribute('data-version')] as const;
      }),
    );
  await expect
    .poll(async () => (await versions()).filter(([markup, shown]) => versionOf(markup) !== shown))
    .toEqual([]);
  expect(await versions()).toHaveLength(slotCount);
}

test('engine: the page hydrates without failures, and a form stores its lead', async ({
  engineName,
  site,
  visitor,
}) => {
  await visitor.open(site.url);
  await followSteps(visitor, [
    press('button "Theme"'),
    choose('menuitemradio "Dark"'),
    choose('radio "Yearly"', { in: 'article "Team Leader"' }),
    see('"$129.99"', { in: 'article "Team Leader"' }),
    press('button "Start Free Trial"', { in: '#contact' }),
    press('button "Start Free Trial"', { in: 'dialog' }),
    see('"Name must be at least 2 characters"', { in: 'dialog' }),
    focusIs('textbox "Name"', { in: 'dialog' }),
    ...fillIn('dialog', `Ada of ${engineName}`),
    press('button "Start Free Trial"', { in: 'dialog' }),
    notSee('dialog'),
    focusIs('button "Start Free Trial"', { in: '#contact' }),
  ]);
  expect(site.leads(`Ada of ${engineName}`)).toMatchObject([storedLead]);

  await visitor.open(site.url);
  await expect.poll(() => visitor.run(() => document.documentElement.dataset['theme'])).toBe('dark');
  await expectVersions(visitor, (prerendered) => prerendered);
  await visitor.open('about:blank');
  await expect.poll(() => site.reportedParts('views').length).toBe(remoteNames.length + 1);
  expect(site.reportedParts('failed%')).toEqual([]);
});

test('engine: a part that throws shows its previous version; the others work', async ({ site, visitor }) => {
  const { path, version, previous } = await site.with(
    live('mf-pricing'),
    broken('mf-pricing', throwsOnRender),
  );
  await visitor.open(site.url + path);
  await expectVersions(visitor, (prerendered) => (prerendered === version ? previous : prerendered));
});

test.describe(() => {
  test.use({ javaScript: false });

  test('engine: the form works without JavaScript', async ({ engineName, site, visitor }) => {
    const name = `Ada without script of ${engineName}`;
    await visitor.open(site.url);
    await followSteps(visitor, [
      ...fillIn('#contact', name),
      press('button "Send Message"'),
      see('"Thank you"'),
    ]);
    expect(site.leads(name)).toMatchObject([storedLead]);
  });
});
