import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createTemporaryBucket, createTemporaryStore } from '../testing/temporary-store.ts';

test('stored pictures: journeys whose names have no Latin letter do not share a picture', async () => {
  await using site = await createTemporaryStore();
  const { pictures } = site.store;
  const names = ['料金', '連絡先'];
  const adding = names.map((name) =>
    pictures.addJourney({ part: 'mf-pricing', version: '1.0.0' }, name, Buffer.from(name)),
  );
  const files = await Promise.all(adding);
  assert.deepEqual(await Promise.all(files.map((file) => readFile(file, 'utf8'))), names);
});

test('stored pictures: the location of those in a bucket is their URL', async () => {
  await using bucket = await createTemporaryBucket();
  assert.match(
    bucket.store.pictures.locationOf({ part: 'shell', version: '1.0.0' }),
    /^s3:\/\/releases\/site\/checks\/pictures\/shell\/1\.0\.0\/$/,
  );
});
