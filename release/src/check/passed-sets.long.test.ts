/* eslint-disable no-restricted-syntax -- Versions that break together can be live only by `--force`. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { fragmentFile } from '@countersign/contracts/fragment';
import { defineJourneys, press, see } from '@countersign/contracts/journeys';
import { createSiteServer } from '../site-server/site-server.ts';
import { compatibleRemote, compatibleShell } from '../testing/compatible-part.ts';
import { createReleaser, type Releaser } from '../testing/run-release.ts';
import { openServer } from '../testing/stub-service.ts';
import { startReportedViews } from '../testing/watched-site.ts';

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
    { journeys: defineJourneys({ 'more is shown': [press('button "More"'), see('"Ten plans"')] }) },
  );

/** Each of both is sound, and together the button is dead. */
const alone = (version = '1.1.0') => pricing(version, `if (document.querySelector('[data-chat]')) return;`);
const leads = (version = '1.1.0') =>
  compatibleRemote('mf-leads', version, {
    'entry.js': `window['mf-leads@${version}'] = (slot) => { slot.firstElementChild.dataset.chat = ''; };`,
  });
const together = (words: string) =>
  new RegExp(
    `^${words} beside the canary (mf-leads 1\\.1\\.0|mf-pricing 1\\.1\\.0) breaks .* "more is shown"`,
    'm',
  );

let releaser: Releaser;
const run = (command: string) => releaser.run(command.split(' '));
const succeed = async (command: string) => {
  const { code, stderr } = await run(command);
  assert.equal(code, 0, stderr);
};

beforeEach(async () => {
  releaser = await createReleaser();
  await releaser.publish(compatibleShell('1.0.0'), pricing('1.0.0'), compatibleRemote('mf-leads', '1.0.0'));
  await releaser.publish(alone(), leads());
  await releaser.deploy({ shell: '1.0.0', 'mf-pricing': '1.0.0', 'mf-leads': '1.0.0' });
});
afterEach(() => releaser[Symbol.asyncDispose]());

const forced = '--force --why test';

test('passed sets: a version that breaks the page only beside a canary is always refused', async () => {
  await succeed('canary mf-leads 1.1.0 --percent 5');
  for (const command of ['promote mf-pricing 1.1.0', 'canary mf-pricing 1.1.0 --percent 5']) {
    const { code, stderr } = await run(command);
    assert.match(stderr, together('mf-pricing 1\\.1\\.0'));
    assert.equal(code, 1);
  }
  // A version that was opened as a canary becomes live without a browser.
  const { code, stderr } = await releaser.run(['promote', 'mf-leads', '1.1.0'], { BROWSER_PATH: '/nowhere' });
  assert.equal(code, 0, stderr);
});

test('passed sets: a canary that breaks beside a version promoted meanwhile is not promoted', async () => {
  await succeed('canary mf-leads 1.1.0 --percent 5');
  await succeed(`promote mf-pricing 1.1.0 ${forced}`);
  const { code, stderr } = await run('promote mf-leads 1.1.0');
  assert.match(stderr, /^mf-leads 1\.1\.0 breaks the journey of mf-pricing "more is shown"/m);
  assert.equal(code, 1);
});

test('passed sets: a sound version is opened again once another one is live', async () => {
  const silent = ['1.0.1', '1.0.2'].map((version) =>
    compatibleRemote('mf-leads', version, {}, { journeys: undefined }),
  );
  await releaser.publish(...silent);
  await releaser.deploy({ 'mf-leads': '1.0.1' });
  await succeed('check mf-leads 1.0.2');
  // It promises something.
  await releaser.deploy({ 'mf-leads': '1.1.0' });
  await releaser.publish(compatibleShell('1.1.0'));
  for (const command of ['promote mf-leads 1.0.2', 'promote shell 1.1.0 mf-leads 1.0.2']) {
    const { code, stderr } = await run(command);
    assert.match(stderr, /mf-leads 1\.0\.2 drops all journeys of mf-leads/);
    assert.equal(code, 1);
  }
});

test('passed sets: watch promotes no canary that breaks the page beside another one', async () => {
  await succeed('canary mf-leads 1.1.0 --percent 5');
  await succeed(`canary mf-pricing 1.1.0 --percent 5 ${forced}`);
  await using reports = await startReportedViews(releaser.store, () => ({
    canary: { views: 50 },
    stable: { views: 950 },
  }));
  const { url, token } = reports.source;
  const words = 'watch mf-pricing --views 1 --without leads failed --stages 100 --minutes 0.1'.split(' ');
  const { code, stderr } = await releaser.run(words, { REPORTS_URL: url, REPORTS_TOKEN: token });
  assert.match(stderr, together('mf-pricing 1\\.1\\.0'));
  assert.equal(code, 1);
});

test('promote and rollback: only the return to a broken version says which promise it breaks', async () => {
  await releaser.publish(
    pricing('1.2.0', 'return;'),
    pricing('1.3.0'),
    pricing('1.4.0'),
    compatibleShell('1.1.0'),
  );
  await succeed(`promote mf-pricing 1.2.0 ${forced}`);
  await succeed('promote mf-pricing 1.3.0');
  // Its page is opened with the previous version, too.
  await succeed('promote shell 1.1.0');
  const { code, stderr } = await run('rollback mf-pricing');
  assert.match(stderr, /^mf-pricing 1\.2\.0 breaks its own journey "more is shown"/m);
  assert.equal(code, 0);
  await succeed('promote mf-pricing 1.4.0');
  await succeed('rollback mf-pricing 1.3.0');
  const { live: comparedWith } =
    (await releaser.store.pictures.read({ part: 'mf-pricing', version: '1.3.0' })) ?? {};
  assert.equal(comparedWith, '1.2.0', 'the board shows the pictures of the promotion');
});

/** Makes versions live one after the other, without a check. Returns the IDs of the releases. */
async function releaseInTurn(...versions: readonly (readonly [string, string])[]) {
  const ids: string[] = [];
  for (const [part, version] of versions) ids.push((await releaser.deploy({ [part]: version })).releaseId);
  return ids;
}

test("bisect: names two versions that broke the page together, as does probe's alarm", async () => {
  await releaser.publish(leads('1.2.0'), alone('1.2.0'));
  const [, good] = await releaseInTurn(
    ['mf-leads', '1.1.0'],
    ['mf-leads', '1.2.0'],
    ['mf-pricing', '1.1.0'],
    ['mf-pricing', '1.2.0'],
  );
  const text = `mf-pricing: "more is shown" is broken by mf-pricing 1.1.0 with mf-leads 1.1.0; each alone is sound. The last good release is ${good}.`;
  const { code, stdout } = await releaser.run(['bisect', '--journey', 'more is shown']);
  assert.deepEqual([code, stdout], [1, `${text}\n`]);

  await using server = await openServer(createSiteServer(releaser.objects, 'http://127.0.0.1:9', () => {}));
  const probed = await releaser.run(['probe', server.origin, '--bisect']);
  assert.equal(probed.code, 1);
  assert.match(
    probed.stdout,
    /^mf-pricing: "more is shown" is broken \(for a visitor with .*\): .*\n[^]* broken\n/,
  );
  assert(probed.stdout.endsWith(`\n${text}\n`), probed.stdout);
});

test('bisect: names the version that broke the page alone; its JSON counts opened sets', async () => {
  await releaser.publish(pricing('1.2.0', 'return;'), pricing('1.3.0', 'return;'));
  assert.match((await run('bisect')).stdout, /^\d+ journeys followed, none is broken\n$/);
  const [lastGood, , , damaged] = await releaseInTurn(
    ['mf-pricing', '1.1.0'],
    ['mf-pricing', '1.2.0'],
    ['mf-leads', '1.1.0'],
    ['mf-pricing', '1.3.0'],
  );
  const { code, stdout } = await run('bisect --json');
  const [{ opened, text, ...found }] = JSON.parse(stdout);
  const versions = { 'mf-pricing': '1.2.0' };
  assert.deepEqual([code, found], [1, { part: 'mf-pricing', journey: 'more is shown', versions, lastGood }]);
  assert.match(text, / is broken by mf-pricing 1\.2\.0\. The last good release is r-/);
  assert(opened <= 8, `${opened} sets were opened`);

  const journeys = defineJourneys({ 'all is shown': [see('"All plans"')] });
  await releaser.publish(compatibleRemote('mf-pricing', '1.4.0', {}, { journeys }));
  const [oldest] = await releaseInTurn(['mf-pricing', '1.4.0'], ['mf-leads', '1.0.0']);
  // A release before that cannot be read is none that is stored.
  await releaser.objects.overwrite(`releases/${damaged}.json`, Buffer.from('damaged'));
  assert.equal(
    (await run('bisect')).stdout,
    `mf-pricing: "all is shown" is broken with the oldest stored versions that promise it already, those of release ${oldest}.\n`,
  );
  assert.match((await run('bisect --journey none')).stderr, /^No part of the live page has such a journey/m);
});
