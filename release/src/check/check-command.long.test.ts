/* eslint-disable no-restricted-syntax -- The check, and `--force`, which overrides it, are the subject of these tests. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, test } from 'node:test';
import { fragmentFile } from '@countersign/contracts/fragment';
import { defineJourneys, press, see } from '@countersign/contracts/journeys';
import { freeze } from '../deploy/freeze.ts';
import { compatibleRemote, compatibleShell, minimalShellScript } from '../testing/compatible-part.ts';
import { createReleaser, type Releaser } from '../testing/run-release.ts';

let releaser: Releaser;
beforeEach(async () => {
  releaser = await createReleaser();
  await releaser.publish(compatibleShell('1.0.0'), compatibleRemote('mf-pricing', '1.0.0'));
  await releaser.deploy({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
});
afterEach(() => releaser[Symbol.asyncDispose]());

const run = (...words: string[]) => releaser.run(words);

const shared = { react: { range: '^20.0.0' } };
const incompatible = compatibleRemote('mf-pricing', '1.1.0', {}, { shared });
const message =
  "mf-pricing 1.1.0 wants react ^20.0.0, but the page has 19.3.1. Build it for that version, or have the shell's team release one that provides yours.";

test('check: violations give exit code 1, and the live version stays', async () => {
  await releaser.publish(incompatible);
  const { code, stdout, stderr } = await run('check', 'mf-pricing', '1.1.0', '--json');
  assert.equal(code, 1);
  assert.equal(stderr, '');
  const { pictures, ...rest } = JSON.parse(stdout);
  assert.deepEqual({ ...pictures, takenAt: '' }, { takenAt: '', live: '1.0.0', compared: 4, changed: [] });
  assert.deepEqual(rest, {
    part: 'mf-pricing',
    version: '1.1.0',
    secondAttempts: [],
    violations: [{ rule: 'shared-modules', message }],
  });
});

test('check and promote: exit with 75, changing nothing, while the live page is late too', async () => {
  const shell = `${minimalShellScript} if (innerWidth === 390) document.querySelector('main').inert = true;`;
  await releaser.publish(
    compatibleShell('1.0.1', { 'shell.js': shell }),
    compatibleRemote('mf-pricing', '1.1.0'),
  );
  await releaser.deploy({ shell: '1.0.1' });
  const before = await run('status');
  for (const command of ['check', 'promote']) {
    const { code, stdout, stderr } = await run(command, 'mf-pricing', '1.1.0');
    assert.deepEqual([code, stdout], [75, '']);
    assert.match(
      stderr,
      /^This machine is too busy to check mf-pricing 1\.1\.0: the live page took more than 12 s, too \(for a visitor with a window of 390 px.*\)\. Nothing was changed\. Check again when it is idle\.\n$/m,
    );
  }
  assert.deepEqual(await run('status'), before);
  await releaser.publish(compatibleRemote('mf-pricing', '1.2.0', {}, { shared }));
  for (const command of ['check', 'promote']) {
    const { code, stdout, stderr } = await run(command, 'mf-pricing', '1.2.0');
    assert.equal(code, 1);
    assert.match(`${stdout}${stderr}`, /^This machine is too busy to check mf-pricing 1\.2\.0: .*, too/m);
    assert.doesNotMatch(stderr, /could not be observed/);
  }
});

test('promote --force: the history records the reason and the violations', async () => {
  await releaser.publish(incompatible);
  const { code, stderr } = await run('promote', 'mf-pricing', '1.1.0', '--force');
  assert.deepEqual([code, stderr], [2, '--force needs a reason. Give it with --why "…".\n']);
  assert.equal((await run('promote', 'mf-pricing', '1.1.0', '--force', '--why', 'the page is down')).code, 0);
  const { why, forced } = JSON.parse((await run('history', '--json')).stdout).at(-1);
  assert.equal(why, 'the page is down');
  assert.deepEqual(forced, [message, 'The page was not opened.']);
});

test('promote --looks-changed: the history records what it accepts, which is not everything', async () => {
  const other = { 'shell.js': `${minimalShellScript} document.title = 'Other';` };
  await releaser.publish(
    compatibleShell('1.1.0', other),
    compatibleShell('1.2.0', { 'shell.js': `${other['shell.js']} open('/');` }),
  );
  const violation =
    'shell 1.1.0 changes the title of the page: Other. Put it right, or accept it with --looks-changed.';
  const refused = await run('promote', 'shell', '1.1.0');
  assert.equal(refused.code, 1);
  assert(refused.stderr.endsWith(`${violation}\n`), refused.stderr);
  const { stderr } = await run('promote', 'shell', '1.2.0', '--looks-changed');
  assert.match(stderr, /shell 1\.2\.0 opens a window\. Put it right and publish it under a new version\.\n$/);
  assert.equal((await run('canary', 'shell', '1.1.0', '--percent', '5', '--looks-changed')).code, 0);
  assert.deepEqual(JSON.parse((await run('history', '--json')).stdout).at(-1).forced, [violation]);
  // As long as it is a canary, it needs no other consent.
  assert.equal((await run('canary', 'shell', '1.1.0', '--percent', '20')).code, 0);
  assert.equal((await run('rollback', 'shell')).code, 0);
  assert((await run('promote', 'shell', '1.1.0')).stderr.endsWith(`${violation}\n`));
});

test('check, promote and canary: without a browser, they refuse with a remedy; --force releases', async () => {
  await releaser.publish(compatibleRemote('mf-pricing', '1.1.0'));
  const environment = { BROWSER_PATH: '/nowhere/chromium' };
  const words = ['mf-pricing', '1.1.0'];
  const before = await run('status');
  for (const command of [
    ['check', ...words],
    ['promote', ...words],
    ['canary', ...words, '--percent', '5'],
  ]) {
    const { code, stderr } = await releaser.run(command, environment);
    assert.equal(code, 1);
    assert(
      stderr.endsWith(
        'The page cannot be opened, because BROWSER_PATH names /nowhere/chromium, which is not there. Install one with "npm run browser", or set BROWSER_PATH to a Chromium or Chrome.\n',
      ),
      stderr,
    );
  }
  assert.deepEqual(await run('status'), before);
  const forced = ['promote', ...words, '--force', '--why', 'no browser here'];
  assert.equal((await releaser.run(forced, environment)).code, 0);
});

test('check: names the pictures of 390 and 1280 px, in both themes, that differ', async () => {
  const part = 'mf-pricing';
  const className = 'first-module-mf-pricing-Ab12_x';
  const other = {
    [fragmentFile('./first')]: `<p class="${className}">This is mf-pricing</p>`,
    'exposed.css': `@media (prefers-color-scheme: dark) { .${className} { padding: 5px } }`,
  };
  await releaser.publish(compatibleRemote(part, '1.1.0', other));
  const folder = `${releaser.directory}/checks/pictures/mf-pricing/1.1.0/`;
  assert.equal(
    (await run('check', part, '1.1.0')).stdout,
    `mf-pricing 1.1.0 looks different from 1.0.0 in 2 of 4 pictures: 1280-dark and 390-dark
pictures: ${folder}
mf-pricing 1.1.0 can be promoted
`,
  );
  assert.deepEqual((await readdir(folder)).toSorted(), [
    ...['1280-dark-candidate.png', '1280-dark-live.png'],
    ...['390-dark-candidate.png', '390-dark-live.png', 'pictures.json'],
  ]);
  const images = ['live', 'candidate'].map((side) => readFile(`${folder}390-dark-${side}.png`));
  // The height, in the header of a PNG.
  const [liveHeight = 0, candidate] = (await Promise.all(images)).map((image) => image.readUInt32BE(20));
  assert.equal(candidate, liveHeight + 10);
  await releaser.store.remove({ part, version: '1.1.0' });
  assert.deepEqual(await releaser.objects.list('checks/pictures/mf-pricing/1.1.0/'), []);
});

test('check: says when a version was not compared by pictures, and when it is frozen', async () => {
  const markup = { [fragmentFile('./first')]: '<h2>Prices</h2>' };
  await releaser.publish(compatibleRemote('mf-pricing', '1.1.0', markup));
  const picture = 'checks/pictures/mf-pricing/1.1.0/390-dark-live.png';
  // A folder with the name of a picture, so that it cannot be stored.
  await mkdir(`${releaser.directory}/${picture}`, { recursive: true });
  await freeze(releaser.store, 'mf-pricing', '2999-01-01T00:00Z', { who: 'page-team', why: 'the launch' });
  assert.equal(
    (await run('check', 'mf-pricing', '1.1.0')).stdout,
    `mf-pricing 1.1.0 was not compared with the live version by pictures, because they took too long or could not be stored, or the live page could not be opened. Check it again on a quieter machine, or look at it yourself.
mf-pricing is frozen until 2999-01-01T00:00Z, by page-team (the launch).
mf-pricing 1.1.0 can be promoted after that
`,
  );
});

test('check: names a broken journey even if its picture cannot be stored', async () => {
  const journeys = defineJourneys({ 'less is shown': [see('button "Less"')] });
  await releaser.publish(compatibleRemote('mf-pricing', '1.1.0', {}, { journeys }));
  const picture = 'checks/pictures/mf-pricing/1.1.0/mf-pricing-less-is-shown-adf76389-journey.png';
  await mkdir(`${releaser.directory}/${picture}`, { recursive: true });
  const { code, stdout } = await run('check', 'mf-pricing', '1.1.0');
  assert.equal(code, 1);
  assert.match(stdout, /^mf-pricing 1\.1\.0 breaks its own journey "less is shown"/);
  assert.doesNotMatch(stdout, /Picture:/);
  // Those of a sound page only.
  assert.equal(await releaser.store.pictures.read({ part: 'mf-pricing', version: '1.1.0' }), undefined);
});

test('check and promote: name and count journeys and inspections that need a second attempt', async () => {
  const filesOf = (version: string) => ({
    [fragmentFile('./first')]: '<p><button type="button">More</button></p>',
    // It stays so on the page that journeys share.
    'entry.js': `window['mf-pricing@${version}'] = (slot) => {
      const button = slot.querySelector('button');
      button.addEventListener('click', () => { button.textContent = 'Less'; });
    };`,
  });
  const journeys = defineJourneys({
    'less is shown': [press('button "More"'), see('button "Less"')],
    'more is asked for': [press('button "More"')],
  });
  for (const version of ['1.1.0', '1.2.0'])
    await releaser.publish(compatibleRemote('mf-pricing', version, filesOf(version), { journeys }));
  const { code, stdout } = await run('check', 'mf-pricing', '1.1.0');
  assert.equal(code, 0);
  const line =
    /^second attempts: journey "more is asked for" of mf-pricing: .*step 1 of 1 .*\(for a visitor with a window of 1024/m;
  assert.match(stdout, line);
  // The check keeps its observation of the live page. Here, it is made to differ from the page.
  for (const key of await releaser.objects.list('checks/live/')) {
    const observation = Buffer.from((await releaser.objects.read(key))?.bytes ?? []).toString();
    await releaser.objects.overwrite(key, Buffer.from(observation.replaceAll('Sample', 'Other')));
  }
  const { secondAttempts } = JSON.parse((await run('check', 'mf-pricing', '1.1.0', '--json')).stdout);
  const inspections = secondAttempts.filter(({ journey }: { journey?: string }) => journey === undefined);
  // The others do not store this live page, which neither scrolls nor reports.
  assert.match(inspections[0].why, /^changes the title .*\(for a visitor with no scripts\)$/);
  // With the other version the page was not opened yet.
  assert.match((await run('promote', 'mf-pricing', '1.2.0')).stderr, line);
  assert.match(
    (await run('status')).stdout,
    /^second attempts: journey "more is asked for" of mf-pricing: [3-9] since /m,
  );
});
