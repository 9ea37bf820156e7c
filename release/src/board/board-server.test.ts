import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sendRequest } from '../testing/send-request.ts';
import { serveSite } from '../testing/served-site.ts';
import { serveBoard } from './serve-board.ts';

test('board server: serves the board with a strict policy, its pictures, and nothing else of the store', async () => {
  await using site = await serveSite();
  const warnings: string[] = [];
  const picture = 'checks/pictures/mf-pricing/1.0.0/pricing-390-dark-live.png';
  await site.objects.overwrite(picture, Buffer.from('PNG'));
  await site.objects.overwrite('checks/pictures/mf-pricing/1.0.0/pictures.json', Buffer.from('{}'));
  const ownersFile = join(site.root, 'owners.json');
  await writeFile(ownersFile, '{ "*": ["*"] }');
  const config = { boardPort: 0, reports: undefined, ownersFile };
  const board = await serveBoard(site.store, config, (message) => warnings.push(message));
  const request = (path: string, method = 'GET') => sendRequest(board.port, path, { method });
  let found = await request('/');
  while (found.status === 404) found = await request('/?after=deploy');

  const { status, headers, body } = found;
  assert.equal(status, 200);
  assert.match(body.toString(), /<title>Release board/);
  const policy = String(headers['content-security-policy']);
  assert.match(
    policy,
    /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; font-src data:; img-src 'self' data:;/,
  );
  assert.match(policy, /; frame-ancestors 'none'$/);
  assert.doesNotMatch(policy, /script-src|unsafe/);
  assert.equal(headers['cache-control'], 'no-store');
  const served = await request(`/${picture}`);
  assert.deepEqual([served.headers['content-type'], served.body.toString()], ['image/png', 'PNG']);
  for (const path of [
    ...['/live.json', '/../live.json', '/index.html', '/%2e%2e/log', '//', '/checks/pictures/a/1/../b.png'],
    '/checks/pictures/mf-pricing/1.0.0/pictures.json',
    '/checks/pictures/mf-pricing/1.0.0/pricing-390-light-live.png',
  ]) {
    assert.equal((await request(path)).status, 404, path);
  }
  assert.equal((await request('/', 'POST')).status, 405);
  assert.equal((await request('/', 'HEAD')).body.length, 0);
  const rebound = await sendRequest(board.port, '/', { headers: { host: 'evil.example' } });
  assert.deepEqual([rebound.status, /Release board/.test(rebound.body.toString())], [421, false]);
  await board.close();
  assert.deepEqual(warnings, []);
});
