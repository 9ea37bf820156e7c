import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReleaseError } from '../platform/release-error.ts';
import { ReleaseStore } from '../store/release-store.ts';
import { intercept, interleave, isCommit } from '../testing/interleaved-store.ts';
import { createLiveSite, createTemporaryBucket } from '../testing/temporary-store.ts';
import { noteAsPassed } from '../testing/watched-site.ts';
import { rollback } from './change-commands.ts';
import { openContext } from './command-context.ts';
import { readConfig } from './config.ts';

test('rollback: refused after another change of the part', async () => {
  await using site = await createLiveSite(
    { shell: '1.0.0', 'mf-pricing': '1.0.0' },
    { 'mf-pricing': '1.1.0' },
    { 'mf-pricing': '1.2.0' },
  );
  const rival = { kind: 'rollback', versions: { 'mf-pricing': '1.0.0' } } as const;
  const behind = interleave(site.objects, 1, async () => void (await site.change(rival)), isCommit);
  const context = {
    ...openContext(readConfig({ RELEASER: 'page-team' })),
    store: new ReleaseStore(behind.objects),
  };
  await assert.rejects(rollback({ name: 'rollback', part: 'mf-pricing' }, context), {
    name: 'LostRace',
    message:
      'mf-pricing was changed while this change of it was prepared; the newest entry of the history is 4, by a test. Nothing was changed. Check "status", then decide again.',
  });
  assert.equal((await site.store.liveStore.require()).release.remotes['mf-pricing']?.live.version, '1.0.0');
});

test('rollback: reports success, even if the page cannot be read afterwards', async (context) => {
  await using site = await createTemporaryBucket();
  await site.release({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  await site.release({ 'mf-pricing': '1.1.0' });
  let isCommitted = false;
  const behind = intercept(site.objects, async (call, forward) => {
    if (isCommitted && call.key === 'live.json') throw new ReleaseError('A request failed.');
    const outcome = await forward();
    isCommitted ||= isCommit(call);
    return outcome;
  });
  const printed = context.mock.method(console, 'error', () => undefined);
  const opened = {
    ...openContext(readConfig({ OWNERS_FILE: site.environment['OWNERS_FILE'] })),
    store: new ReleaseStore(behind),
  };
  const output = await rollback({ name: 'rollback', part: 'mf-pricing' }, opened);
  assert.match(String(output?.lines), /^mf-pricing 1\.0\.0 is live for everybody in release r-/);
  // Before it may come progress, if the machine is slow.
  assert.deepEqual(printed.mock.calls.at(-1)?.arguments, [
    'The page that is live now could not be judged: A request failed.',
  ]);
});

test('rollback: opens no page that passed beside other live versions', async (context) => {
  await using site = await createLiveSite({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  await noteAsPassed(site, '1.0.0');
  await site.release({ 'mf-pricing': '1.1.0' });
  const printed = context.mock.method(console, 'error', () => undefined);
  const config = readConfig({ BROWSER_PATH: '/nowhere', OWNERS_FILE: site.environment['OWNERS_FILE'] });
  const opened = { ...openContext(config), store: site.store };
  await rollback({ name: 'rollback', part: 'mf-pricing' }, opened);
  assert.doesNotMatch(JSON.stringify(printed.mock.calls), /could not be judged/);
});
