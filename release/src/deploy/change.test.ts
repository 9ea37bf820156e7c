import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateOf } from '@countersign/contracts/release-versions';
import { builtRemote, builtShell } from '../testing/built-part.ts';
import { interleave, isCommit } from '../testing/interleaved-store.ts';
import { createLiveSite, withObjects, type TemporaryStore } from '../testing/temporary-store.ts';
import type { Change } from './change.ts';
import { removeVersion } from './remove-version.ts';

for (const part of ['shell', 'mf-pricing'] as const) {
  test(`change: commands lead ${part} to the states that the README names`, async () => {
    await using site = await createLiveSite({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
    for (const version of ['1.1.0', '1.2.0'])
      await site.publish(part === 'shell' ? builtShell(version) : builtRemote(part, version));
    const promote = (version: string): Change => ({ kind: 'promote', versions: { [part]: version } });
    const canary: Change = { kind: 'canary', versions: { [part]: '1.2.0' }, percent: 10 };
    const rollback: Change = { kind: 'rollback', versions: { [part]: undefined } };
    const second = { live: '1.1.0', previous: '1.0.0' };
    for (const [change, expected] of [
      [promote('1.1.0'), second],
      [promote('1.1.0'), second],
      [promote('1.0.0'), { live: '1.0.0' }],
      [promote('1.1.0'), second],
      [canary, { ...second, canary: { version: '1.2.0', percent: 10 } }],
      [rollback, second],
      [canary, { ...second, canary: { version: '1.2.0', percent: 10 } }],
      // The live version by its name.
      [{ ...rollback, versions: { [part]: '1.1.0' } }, second],
      [promote('1.2.0'), { live: '1.2.0', previous: '1.1.0' }],
      [rollback, { live: '1.1.0' }],
    ] as const) {
      const state = stateOf(part, await site.change(change));
      assert.deepEqual(JSON.parse(JSON.stringify(state)), expected);
    }
    await assert.rejects(site.change(rollback), / has no version before 1\.1\.0\. Name one/);
  });
}

/** A site with shell 1.0.0 before 1.1.0, and 1.2.0 published. */
async function createSite(): Promise<TemporaryStore> {
  const site = await createLiveSite({ shell: '1.0.0', 'mf-pricing': '1.0.0' }, { shell: '1.1.0' });
  await site.publish(builtShell('1.2.0'));
  return site;
}

const canary = { kind: 'canary', versions: { shell: '1.2.0' }, percent: 10 } as const;

test('shell: its canary and the version before cannot be removed', async () => {
  await using site = await createSite();
  await site.change(canary);
  for (const version of ['1.0.0', '1.2.0']) {
    const removing = removeVersion(site.store, { part: 'shell', version }, { who: 'a test' });
    await assert.rejects(removing, /Take it off the page/);
  }
});

test('shell: a canary for a part of a percent is refused', async () => {
  await using site = await createSite();
  await assert.rejects(site.change({ ...canary, percent: 0.5 }), /needs a whole percentage, but it is 0\.5/);
});

test("canary: an impossible one is refused before its version's name and files are checked", async () => {
  await using site = await createSite();
  await site.publish(builtRemote('mf-leads', '1.0.0'), builtRemote('mf-pricing', '1.1.0'));
  for (const folder of ['shell/1.1.0', 'mf-leads/1.0.0', 'mf-pricing/1.1.0'])
    await site.objects.overwrite(`parts/${folder}/part.json`, new Uint8Array());
  for (const [versions, message] of [
    [{ shell: '1.1.0' }, /^ReleaseError: shell 1\.1\.0 is live for everybody/],
    [{ 'mf-leads': '..' }, /^ReleaseError: mf-leads has no live version to compare with/],
    [{ 'mf-pricing': '..' }, /^ReleaseError: Invalid version "\.\."/],
    [{ 'mf-pricing': '9.9.9' }, /^ReleaseError: mf-pricing 9\.9\.9 is not published/],
  ] as const)
    await assert.rejects(site.change({ kind: 'canary', versions, percent: 10 }), message);
  const versions = { 'mf-pricing': '1.1.0', 'mf-leads': '9.9.9' };
  await assert.rejects(
    site.change({ kind: 'promote', versions }),
    /^ReleaseError: mf-pricing 1\.1\.0 has another part\.json than was published/,
  );
});

test('shell: the pages of its canary are written before the release is live', async () => {
  await using site = await createSite();
  let written: readonly string[] = [];
  const list = async () => void (written = await site.objects.list('pages/'));
  const behind = interleave(site.objects, 1, list, isCommit);
  const { releaseId } = await withObjects(site, behind.objects).change(canary);
  for (const name of ['index.html', 'stable.html', 'canary.html', '.shell-canary.json'])
    assert(written.includes(`pages/${releaseId}/${name}`), name);
  assert.deepEqual(await site.verify(), []);
});
