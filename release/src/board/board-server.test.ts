import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ReleaseStore } from '../store/release-store.ts';
import { intercept } from '../testing/interleaved-store.ts';
import { openServer } from '../testing/stub-service.ts';
import { createLiveSite, createTemporaryStore } from '../testing/temporary-store.ts';
import { createBoardServer } from './board-server.ts';

test('board server: serves the board, its pictures, and nothing else of the store', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  const ownersFile = join(site.root, 'owners.json');
  await using server = await openServer(
    createBoardServer({ store: site.store, ownersFile, print: assert.fail }),
  );
  const request = (path: string, method = 'GET') => server.request(path, { method });
  const picture = 'checks/pictures/mf-pricing/1.0.0/390-dark-live.png';
  await site.objects.overwrite(picture, Buffer.from('PNG'));
  await site.objects.overwrite('checks/pictures/mf-pricing/1.0.0/pictures.json', Buffer.from('{}'));
  const { status, headers, body } = await request('/?after=deploy');
  assert.equal(status, 200);
  assert.match(body.toString(), /<title>Release board/);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(headers['content-security-policy'], "frame-ancestors 'none'");
  assert.equal(headers['cache-control'], 'no-store');
  const served = await request(`/${picture}`);
  assert.deepEqual([served.headers['content-type'], served.body.toString()], ['image/png', 'PNG']);
  for (const path of [
    ...['/live.json', '/../live.json', '/index.html', '/%2e%2e/history', '//'],
    '/checks/pictures/a/1/../b.png',
    '/checks/pictures/mf-pricing/1.0.0/pictures.json',
    '/checks/pictures/mf-pricing/1.0.0/390-light-live.png',
  ]) {
    assert.equal((await request(path)).status, 404, path);
  }
  assert.equal((await request('/', 'POST')).status, 405);
  const rebound = await server.request('/', { headers: { host: 'evil.example' } });
  assert.equal(rebound.status, 421);
});

test('board server: 503 while the store fails, and its error for the operator', async () => {
  await using site = await createTemporaryStore();
  const failing = intercept(site.objects, () => Promise.reject(new Error('The disk is gone')));
  const warnings: string[] = [];
  const boardServer = createBoardServer({
    store: new ReleaseStore(failing),
    ownersFile: join(site.root, 'owners.json'),
    print: (line) => void warnings.push(line),
  });
  await using server = await openServer(boardServer);
  assert.equal((await server.request('/')).status, 503);
  assert.deepEqual(warnings, ['The release board could not be read: The disk is gone.']);
});
