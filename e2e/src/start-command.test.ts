import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { childrenOf, makeDataDirectory, removeDirectory, spawnStart, startSite } from './running-site.ts';

let dataDirectory: string;
test.beforeEach(async () => {
  dataDirectory = await makeDataDirectory();
});
test.afterEach(() => removeDirectory(dataDirectory));

/** Waits for a start that must fail, and returns what it said. */
async function failure(start: ChildProcess): Promise<{ code: number | null; said: string }> {
  const [, said] = await Promise.all([once(start, 'exit'), start.stderr ? text(start.stderr) : '']);
  return { code: start.exitCode, said: said.trim() };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('Ctrl-C stops the site with every process it has started', async () => {
  const site = await startSite(dataDirectory);
  const children = await childrenOf(Number(site.process.pid));
  expect(children).not.toEqual([]);
  expect(await site.stop()).toBe(0);
  expect(children.filter(isAlive)).toEqual([]);
  await expect(fetch(site.url)).rejects.toThrow();
});

test('a killed start leaves no service behind', async () => {
  const site = await startSite(dataDirectory);
  const children = await childrenOf(Number(site.process.pid));
  const ended = once(site.process, 'exit');
  site.process.kill('SIGKILL');
  await ended;
  await expect.poll(() => children.filter(isAlive)).toEqual([]);
});

test('it says what it does, and where the page is', async () => {
  const site = await startSite(dataDirectory);
  await site.stop();
  expect(site.lines[0]).toBe('site: building the parts that changed …');
  expect(site.lines.join('\n')).toContain('published mf-pricing');
  expect(site.lines.join('\n')).toContain(`open ${site.url}`);
});

for (const variable of ['PORT', 'LEADS_PORT']) {
  test(`a busy ${variable} is one clear sentence and exit code 1`, async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const free = { PORT: '0', LEADS_PORT: '0', DATA_DIR: dataDirectory };
    const { code, said } = await failure(spawnStart({ ...free, [variable]: String(port) }));
    other.close();
    expect(code).toBe(1);
    expect(said).toBe(
      `Port ${port} is in use. Stop what listens there, or choose another with ${variable}=<port>.`,
    );
  });
}

test('a data folder that cannot be written is one clear sentence and exit code 1', async () => {
  const file = join(dataDirectory, 'file');
  await writeFile(file, '');
  const { code, said } = await failure(
    spawnStart({ PORT: '0', LEADS_PORT: '0', DATA_DIR: join(file, 'data') }),
  );
  expect(code).toBe(1);
  expect(said).toContain(
    'cannot be written. Give this user access to it, or choose another with DATA_DIR=<folder>.',
  );
  expect(said.split('\n')).toHaveLength(1);
});

test('every fault in the environment is named', async () => {
  const { code, said } = await failure(
    spawnStart({ PORT: 'web', APP_HOST: 'nowhere', DATA_DIR: dataDirectory }),
  );
  expect(code).toBe(1);
  expect(said).toContain('PORT must be a port number from 0 to 65535.');
  expect(said).toContain('APP_HOST must be the origin of the application');
});
