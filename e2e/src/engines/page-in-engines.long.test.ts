import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { focusIs, notSee, press, type, type Journeys } from '@countersign/contracts/journeys';
import { partNames } from '@countersign/contracts/remotes';
import { type EngineName, missingPackages } from '../browser/engines.ts';
import { slotCount } from '../checks/expect-whole-page.ts';
import { rightEntries } from '../driver/lead-forms.ts';
import { broken, expect, live, test, throwsOnRender } from '../site/site-test.ts';
import { builtFolder } from '../site/running-site.ts';
import { followSteps, isSupported } from './follow-steps.ts';
import { startVisitor, type Visitor } from './visitor.ts';

/** A first visit. The test is skipped if the engine is not installed. */
function startVisit(): Promise<Visitor> {
  const engine = test.info().project.name as EngineName;
  const missing = missingPackages(engine);
  test.skip(missing.length > 0, `Not installed: ${missing.join(' ')}`);
  return startVisitor[engine]();
}

/** Uses every slot, and waits until each runs the version of its markup, except for the replaced pairs `[of the markup, running]`. */
async function expectVersions({ run }: Visitor, replaced: readonly (readonly string[])[] = []) {
  const slots = () =>
    run(() =>
      [...document.querySelectorAll<HTMLElement>('[data-remote]')].map(({ dataset, firstElementChild }) => {
        firstElementChild?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
        return [dataset['prerendered'], dataset['version']];
      }),
    );
  await expect
    .poll(async () => (await slots()).filter(([markup, shown]) => markup !== shown))
    .toEqual(replaced);
  expect(await slots()).toHaveLength(slotCount);
}

test('engine: the parts keep their promises, hydrate without failures, and a form stores its lead', async ({
  site,
}) => {
  test.slow();
  await using visitor = await startVisit();
  for (const part of partNames) {
    const manifest = await readFile(join(builtFolder(part), 'part.json'), 'utf8');
    const { journeys } = JSON.parse(manifest) as { readonly journeys: Journeys };
    for (const [name, journey] of Object.entries(journeys).filter(([, each]) => isSupported(each))) {
      await test.step(`${part}: ${name}`, async () => {
        await visitor.open(site.url);
        await followSteps(visitor, journey.steps);
      });
    }
  }

  await test.step('a dialog sends its form', async () => {
    const { Email: email, Message: message } = rightEntries;
    const entries = { Name: 'Ada of another engine', Email: email, Message: message };
    await visitor.open(site.url);
    await followSteps(visitor, [
      press('button "Start Free Trial"', { in: '#contact' }),
      ...Object.entries(entries).map(([field, text]) => type(`textbox "${field}"`, text, { in: 'dialog' })),
      press('button "Start Free Trial"', { in: 'dialog' }),
      notSee('dialog'),
      focusIs('button "Start Free Trial"', { in: '#contact' }),
    ]);
    expect(site.leads(entries.Name)).toMatchObject([{ email, message }]);
  });

  await test.step('every part is hydrated in place, and none has failed', async () => {
    await visitor.open(site.url);
    await expectVersions(visitor);
    // The page sends its reports when the visitor leaves.
    await visitor.open('about:blank');
    await expect.poll(() => site.reportedParts('views').length).toBe(partNames.length);
    expect(site.reportedParts('failed%')).toEqual([]);
  });
});

test('engine: a part that throws shows its previous version; the others work', async ({ site }) => {
  await using visitor = await startVisit();
  const { path, version, previous } = await site.pageWith(
    live('mf-pricing'),
    broken('mf-pricing', throwsOnRender),
  );
  await visitor.open(site.url + path);
  await expectVersions(visitor, [[version, previous]]);
});
