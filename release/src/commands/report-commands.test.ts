import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fittingShell } from '../testing/fitting-part.ts';
import { createReleaser } from '../testing/releaser.ts';
import { refuses } from '../testing/run-release.ts';

test('verify ends with exit code 1 when something is not as it was published', async () => {
  await using releaser = await createReleaser();
  await releaser.publish('shell', fittingShell('1.0.0'));
  await releaser.run(['promote', 'shell', '1.0.0']);
  await writeFile(join(releaser.storeDirectory, 'parts', 'shell', '1.0.0', 'shell.js'), 'another');
  const { code, stdout } = await releaser.run(['verify', '--json']);
  assert.equal(code, 1);
  assert.deepEqual(JSON.parse(stdout).faults, ['shell 1.0.0 has another shell.js than was published.']);
});

test('the status before anything is live is a sentence that says what to do', async () => {
  await using releaser = await createReleaser();
  assert.deepEqual(
    await releaser.run(['status']),
    refuses('Nothing is live yet. Run npm start, or publish and promote every part.'),
  );
});

test('the status of a store whose live.json is damaged says so', async () => {
  await using releaser = await createReleaser();
  const { storeDirectory } = releaser;
  await mkdir(storeDirectory, { recursive: true });
  await writeFile(join(storeDirectory, 'live.json'), '{');
  assert.deepEqual(
    await releaser.run(['status']),
    refuses(`live.json in ${storeDirectory} is damaged. Put a copy of it back, or release into a new store.`),
  );
});
