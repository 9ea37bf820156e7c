import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { fragmentFile } from '@countersign/contracts/fragment';
import { defineJourneys, press, see } from '@countersign/contracts/journeys';
import { createSiteServer } from '../server/site-server.ts';
import { compatibleRemote, compatibleShell } from '../testing/compatible-part.ts';
import { createReleaser, type Releaser } from '../testing/run-release.ts';
import { openServer } from '../testing/stub-service.ts';

const journeys = defineJourneys({ 'more is shown': [press('button "More"'), see('"Ten plans"')] });

/** A version whose button shows a text, unless the code says otherwise. */
const pricing = (version: string, whenPressed = '') =>
  compatibleRemote(
    'mf-pricing',
    version,
    {
      [fragmentFile('./first')]:
        '<section><h2>Plans</h2><button type="button">More</button><p></p></section>',
      'entry.js': `window['mf-pricing@${version}'] = (slot) => {
        slot.querySelector('button').onclick = () => { ${whenPressed} slot.querySelector('p').textContent = 'Ten plans'; };
      };`,
    },
    { journeys },
  );

/** The button is dead beside a version of mf-leads since 1.1.0. */
const deadWithChat = `if (document.querySelector('[data-chat]')) return;`;
const leads = (version: string, code = `slot.firstElementChild.dataset.chat = '';`) =>
  compatibleRemote('mf-leads', version, {
    'entry.js': `window['mf-leads@${version}'] = (slot) => { ${code} };`,
  });

let releaser: Releaser;
beforeEach(async () => {
  releaser = await createReleaser();
  await releaser.publish(compatibleShell('1.0.0'), pricing('1.0.0'), leads('1.0.0', ''));
  await releaser.deploy({ shell: '1.0.0', 'mf-pricing': '1.0.0', 'mf-leads': '1.0.0' });
});
afterEach(() => releaser[Symbol.asyncDispose]());

/** Makes versions live one after the other, without a check. Returns the ID of the last release before the last `broken` ones. */
async function releaseInTurn(broken: number, ...versions: readonly (readonly [string, string])[]) {
  const ids: string[] = [];
  for (const [part, version] of versions) ids.push((await releaser.deploy({ [part]: version })).releaseId);
  return ids.at(-1 - broken);
}

test('bisect: names two versions that broke the page together, and probe names them beside its alarm', async () => {
  await releaser.publish(leads('1.1.0'), leads('1.2.0'), pricing('1.1.0', deadWithChat));
  await releaser.publish(pricing('1.2.0', deadWithChat));
  const good = await releaseInTurn(
    2,
    ['mf-leads', '1.1.0'],
    ['mf-leads', '1.2.0'],
    ['mf-pricing', '1.1.0'],
    ['mf-pricing', '1.2.0'],
  );
  const text = `mf-pricing: "more is shown" is broken by mf-pricing 1.1.0 with mf-leads 1.1.0; each alone is sound. The last good release is ${good}.`;
  const { code, stdout } = await releaser.run(['bisect', '--journey', 'more is shown']);
  assert.deepEqual([code, stdout], [1, `${text}\n`]);

  await using server = await openServer(createSiteServer(releaser.objects, 'http://127.0.0.1:9'));
  const probed = await releaser.run(['probe', server.origin, '--bisect']);
  assert.equal(probed.code, 1);
  assert.match(
    probed.stdout,
    /^mf-pricing: "more is shown" is broken \(for a visitor with .*\): .*\n[^]* broken\n/,
  );
  assert(probed.stdout.endsWith(`\n${text}\n`), probed.stdout);
});

test('bisect: names the version that broke the page alone, and its JSON has the pages that were opened', async () => {
  await releaser.publish(
    leads('1.1.0'),
    pricing('1.1.0'),
    pricing('1.2.0', 'return;'),
    pricing('1.3.0', 'return;'),
  );
  const none = await releaser.run(['bisect']);
  assert.deepEqual([none.code, none.stdout], [0, 'No journey that was followed is broken.\n']);
  const lastGood = await releaseInTurn(
    3,
    ['mf-pricing', '1.1.0'],
    ['mf-pricing', '1.2.0'],
    ['mf-leads', '1.1.0'],
    ['mf-pricing', '1.3.0'],
  );
  const { code, stdout } = await releaser.run(['bisect', '--json']);
  const [{ opened, text, ...found }] = JSON.parse(stdout);
  const versions = { 'mf-pricing': '1.2.0' };
  assert.deepEqual([code, found], [1, { part: 'mf-pricing', journey: 'more is shown', versions, lastGood }]);
  assert.match(text, / is broken by mf-pricing 1\.2\.0\. The last good release is r-/);
  assert(opened <= 8, `${opened} sets were opened`);
  const unknown = await releaser.run(['bisect', '--journey', 'no such']);
  assert.match(unknown.stderr, /No part of the live page has a journey "no such"/);
});
