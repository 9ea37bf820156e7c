import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { UploadQuota } from './upload-quota.ts';

test('upload quota: a part that used up its day takes nothing from others', async () => {
  const quota = new UploadQuota(tmpdir(), { ofPartPerDay: 100, reserve: 0 });
  await quota.admit('mf-pricing', 60);
  await assert.rejects(quota.admit('mf-pricing', 60), /^ReleaseError: The builds of mf-pricing have used up/);
  await quota.admit('mf-pricing', 40);
  await quota.admit('mf-leads', 60);
});

test('upload quota: no build uses the reserve of the disk', async () => {
  const quota = new UploadQuota(tmpdir(), { ofPartPerDay: 100, reserve: Infinity });
  await assert.rejects(quota.admit('mf-pricing', 1), /has no room for another build/);
});
