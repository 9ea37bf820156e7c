import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTemporaryBucket, createTemporaryStore } from '../testing/temporary-store.ts';

test('stored pictures: journeys whose names have no Latin letter do not share a picture', async () => {
  await using site = await createTemporaryStore();
  const { pictures } = site.store;
  const names = ['料金', '連絡先'];
  const paths = names.map((name) => pictures.addJourney('mf-pricing', '1.0.0', name, Buffer.from(name)));
  const stored = await Promise.all((await Promise.all(paths)).map((path) => pictures.readPicture(path)));
  assert.deepEqual(
    stored.map((bytes) => String(bytes && Buffer.from(bytes))),
    names,
  );
});

test('stored pictures: the location of those in a bucket is their URL', async () => {
  await using bucket = await createTemporaryBucket();
  assert.match(
    bucket.store.pictures.locationOf('shell', '1.0.0'),
    /^s3:\/\/releases\/site\/checks\/pictures\/shell\/1\.0\.0\/$/,
  );
});
