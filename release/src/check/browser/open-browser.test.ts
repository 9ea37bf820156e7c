import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { browserOfTests, replaceEnvironment } from '../../testing/config.ts';
import { openBrowser } from './open-browser.ts';

test('browser of the check: has no variables of the releaser', async () => {
  replaceEnvironment({ TOKEN_OF_RELEASER: 'secret' });
  await using browser = await openBrowser(browserOfTests);
  await browser.newPage();
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  assert(processInfo.length > 2, `${processInfo.length} processes run`);
  for (const { id } of processInfo)
    assert.doesNotMatch(await readFile(`/proc/${id}/environ`, 'utf8'), /TOKEN_OF_RELEASER/);
});

for (const [printed, expected] of [
  ['FATAL: No usable sandbox! If you are running on Ubuntu 23.10+', /no sandbox\. Allow it user namespaces/],
  ['error while loading shared libraries: libnss3.so: cannot open', /libnss3\.so is missing\. Install/],
  ['another error', /did not start: another error Set BROWSER_PATH/],
] as const) {
  test(`browser of the check: "${printed.slice(0, 30)}" is explained in one line`, async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'browser-'));
    const browserPath = join(folder.path, 'browser');
    await writeFile(browserPath, `#!/bin/sh\necho '${printed}' >&2\nexit 1\n`, { mode: 0o755 });
    await assert.rejects(openBrowser({ browserPath, path: '' }), ({ message }: Error) => {
      assert.match(message, expected);
      return message === stripVTControlCharacters(message) && !message.includes('\n');
    });
  });
}

test('browser of the check: connects to nothing', async () => {
  let connections = 0;
  await using server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await using browser = await openBrowser(browserOfTests);
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
    const visited = await browser.newPage();
    await assert.rejects(visited.goto(`http://${host}:${port}/`), /ERR_NAME_NOT_RESOLVED/);
    const page = await browser.newPage();
    const outcomes = await page.evaluate(async (address) => {
      const socket = new WebSocket(`ws://${address}/`);
      const closed = new Promise((done) => socket.addEventListener('close', () => done('closed')));
      const fetched = await fetch(`http://${address}/`, { mode: 'no-cors' }).catch(() => 'failed');
      return [fetched, await closed];
    }, `${host}:${port}`);
    assert.deepEqual(outcomes, ['failed', 'closed']);
  }
  assert.equal(connections, 0);
});

test('browser of the check: a missing TMPDIR is named', async () => {
  replaceEnvironment({ TMPDIR: '/nonexistent' });
  await assert.rejects(openBrowser(browserOfTests), /temporary files, \/nonexistent, .*Set TMPDIR/);
});
