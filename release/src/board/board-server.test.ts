import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
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

test('board server: 404 as long as no page is live', async () => {
  await using site = await createTemporaryStore();
  const ownersFile = join(site.root, 'owners.json');
  await using server = await openServer(
    createBoardServer({ store: site.store, ownersFile, print: assert.fail }),
  );
  const { status, body } = await server.request('/');
  assert.deepEqual([status, /as soon as a page is live/.test(body.toString())], [404, true]);
});

const failing = (): Promise<never> => Promise.reject(new Error('The disk is gone'));

for (const [what, call, owners, warning] of [
  ['the store fails', failing, '{}', /^The release board could not be read: The disk is gone\.$/],
  ["the owners' file is damaged", undefined, '{', /^The release board could not be read: .*owners\.json/],
] as const) {
  test(`board server: 503 while ${what}, and the error for the operator`, async () => {
    await using site = await createLiveSite({ shell: '1.0.0' });
    const ownersFile = join(site.root, 'owners.json');
    await writeFile(ownersFile, owners);
    const store = call ? new ReleaseStore(intercept(site.objects, call)) : site.store;
    const warnings: string[] = [];
    const print = (line: string) => void warnings.push(line);
    await using server = await openServer(createBoardServer({ store, ownersFile, print }));
    assert.equal((await server.request('/')).status, 503);
    assert.match(warnings.join('\n'), warning);
  });
}
