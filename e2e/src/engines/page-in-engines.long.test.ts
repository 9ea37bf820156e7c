import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { focusIs, notSee, press, see, type, type Journeys } from '@countersign/contracts/journeys';
import { partNames } from '@countersign/contracts/remotes';
import { missingPackages } from '../browser/engine-commands.ts';
import { slotCount } from '../checks/expect-whole-page.ts';
import { rightEntries } from '../driver/lead-forms.ts';
import { broken, expect, live, test as siteTest, throwsOnRender } from '../site/site-test.ts';
import { builtFolder } from '../site/running-site.ts';
import { followSteps, isDriven } from './follow-steps.ts';
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

const { Email: email, Message: message } = rightEntries;
const storedLead = { email, message };

/** Steps that fill in a form. */
const fillIn = (place: '#contact' | 'dialog', name: string) =>
  Object.entries({ Name: name, Email: email, Message: message }).map(([field, text]) =>
    type(`textbox "${field}"`, text, { in: place }),
  );

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

test('engine: the parts keep their promises, hydrate without failures, and a form stores its lead', async ({
  engineName,
  site,
  visitor,
}) => {
  test.slow();
  for (const part of partNames) {
    const manifest = await readFile(join(builtFolder(part), 'part.json'), 'utf8');
    const { journeys } = JSON.parse(manifest) as { readonly journeys: Journeys };
    for (const [name, journey] of Object.entries(journeys).filter(([, each]) => isDriven(each))) {
      await test.step(`${part}: ${name}`, async () => {
        await visitor.open(site.url);
        await followSteps(visitor, journey.steps);
      });
    }
  }
  await test.step('a dialog sends its form', async () => {
    const name = `Ada of ${engineName}`;
    await visitor.open(site.url);
    await followSteps(visitor, [
      press('button "Start Free Trial"', { in: '#contact' }),
      ...fillIn('dialog', name),
      press('button "Start Free Trial"', { in: 'dialog' }),
      notSee('dialog'),
      focusIs('button "Start Free Trial"', { in: '#contact' }),
    ]);
    expect(site.leads(name)).toMatchObject([storedLead]);
  });
  await test.step('every part is hydrated in place, and none has failed', async () => {
    await visitor.open(site.url);
    await expectVersions(visitor, (prerendered) => prerendered);
    await visitor.open('about:blank');
    await expect.poll(() => site.reportedParts('views').length).toBe(partNames.length);
    expect(site.reportedParts('failed%')).toEqual([]);
  });
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
