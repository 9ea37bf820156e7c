import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { JSDOM } from 'jsdom';
import { readOwners } from '../deploy/owners.ts';
import { encodeJson } from '../store/stored-json.ts';
import { builtRemote, builtShell } from '../testing/built-part.ts';
import { createSiteOf, type TemporaryStore } from '../testing/temporary-store.ts';
import { composeBoard } from './board-page.ts';

async function createSite(): Promise<TemporaryStore> {
  const site = await createSiteOf(builtShell('1.0.0'), builtRemote('mf-pricing', '1.0.0'));
  await site.publish(...['1.1.0', '1.2.0'].map((version) => builtRemote('mf-pricing', version)));
  return site;
}

async function boardOf({ root, store }: TemporaryStore, owners: object = {}): Promise<Document> {
  const file = join(root, 'owners.json');
  await writeFile(file, JSON.stringify(owners));
  return new JSDOM(await composeBoard(store, readOwners(file))).window.document;
}

const textsOf = (root: ParentNode, selector: string) =>
  [...root.querySelectorAll(selector)].map((element) => element.textContent.replaceAll(/\s+/g, ' ').trim());

test('release board: shows parts and the history', async () => {
  await using site = await createSite();
  await site.deploy({ 'mf-pricing': '1.1.0' });
  await site.change(
    { kind: 'canary', versions: { 'mf-pricing': '1.2.0' }, percent: 12.5 },
    { who: 'anna', why: 'new prices' },
    // Violations of the check that `--force` overrides.
    async () => ['too big'],
  );
  const board = await boardOf(site, { '*': ['*'], 'mf-pricing': ['anna', 'ben'], 'mf-leads': [] });
  const rows = textsOf(board, 'tr');
  assert.equal(rows[1], 'shell every releaser 1.0.0 – –');
  assert.equal(rows[4], 'mf-pricing anna, ben 1.1.0 1.0.0 1.2.0 for 12.5 %');
  assert.equal(rows[5], 'mf-leads no owner – – –');
  const history = textsOf(board, '.history > li');
  assert.equal(history.length, 3);
  assert.match(
    history[0] ?? '',
    /^canary mf-pricing 1\.1\.0 → 1\.1\.0, 1\.2\.0 for 12\.5 % new prices in spite of: too big anna · \d+ \w+ \d{4}, \d\d:\d\d UTC · r-/,
  );
});

test("release board: links a released version's pictures that differ from those of the live one", async () => {
  await using site = await createSite();
  const compare = (version: string, changed: readonly string[]) => {
    const comparison = {
      takenAt: '2026-11-26T10:00:00.000Z',
      live: '1.0.0',
      compared: 2,
      changed,
    };
    const key = `checks/pictures/mf-pricing/${version}/pictures.json`;
    return site.objects.overwrite(key, encodeJson(comparison));
  };
  await compare('1.2.0', ['390-dark']);
  await compare('1.1.0', []);
  await site.publish(builtRemote('mf-leads', '1.0.0'));
  await site.change({ kind: 'canary', versions: { 'mf-pricing': '1.2.0' }, percent: 10 });
  await site.deploy({ 'mf-pricing': '1.1.0', 'mf-leads': '1.0.0' });

  const changes = (await boardOf(site)).querySelectorAll('.history li');
  const [promoted = assert.fail(), canary = assert.fail()] = changes;
  assert.match(promoted.textContent, /mf-pricing 1\.1\.0 looks like 1\.0\.0 in all 2 pictures/);
  assert.match(canary.textContent, /1\.2\.0 looks different from 1\.0\.0 in 1 of 2 pictures/);
  assert.deepEqual(
    [...canary.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')]),
    ['live', 'candidate'].map((side) => [
      `390-dark ${side}`,
      `checks/pictures/mf-pricing/1.2.0/390-dark-${side}.png`,
    ]),
  );
});
