import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { environmentWith } from './config.ts';
import {
  childrenOf,
  copyProject,
  makeDataDirectory,
  processesIn,
  projectDirectory,
  removeDirectory,
  spawnStart,
  startSite,
  waitForLine,
} from './running-site.ts';

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

/** Runs `npm start` as a terminal does: as the first of a group, which Ctrl-C reaches as a whole. */
function spawnNpmStart(directory: string): ChildProcess {
  return spawn('npm', ['start'], {
    cwd: directory,
    detached: true,
    env: environmentWith({
      DATABASE_URL: undefined,
      DATA_DIR: dataDirectory,
      PORT: '0',
      LEADS_PORT: '0',
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Presses Ctrl-C, waits until npm has ended, and returns how it did. */
async function pressControlC(npm: ChildProcess): Promise<number | NodeJS.Signals | null> {
  const ended = once(npm, 'exit');
  process.kill(groupOf(npm), 'SIGINT');
  await ended;
  return npm.signalCode ?? npm.exitCode;
}

/** The id under which the system knows the group that a process leads. */
function groupOf(leader: ChildProcess): number {
  return -Number(leader.pid);
}

test('Ctrl-C in a terminal ends npm start and everybody in its group', async () => {
  test.slow();
  const npm = spawnNpmStart(projectDirectory);
  const lines: string[] = [];
  await waitForLine(npm, /http:\/\/localhost:\d+/, lines);
  expect(await pressControlC(npm)).toBe(0);
  await expect.poll(() => isAlive(groupOf(npm))).toBe(false);
  expect(lines).toContain('site: stopped');
});

test('Ctrl-C during the build ends npm start and every bundler', async () => {
  test.slow();
  // In a copy: a build that breaks off leaves half a build behind.
  const copy = await copyProject([
    ...['shell', 'mf-header', 'mf-content', 'mf-pricing', 'mf-leads', 'lead-service', 'release', 'packages'],
    ...['package.json', 'package-lock.json', 'turbo.json', 'bootstrap.mjs'],
    ...['tsconfig.base.json', 'jest.base.ts', 'jest.css-modules.ts'],
  ]);
  try {
    const npm = spawnNpmStart(copy);
    const lines: string[] = [];
    await waitForLine(npm, /building the parts that changed/, lines);
    // npm, its shell, Turborepo and its first bundlers.
    await expect.poll(async () => (await processesIn(join(copy, 'mf-pricing'))).length).toBeGreaterThan(1);
    expect(await pressControlC(npm)).toBe(0);
    // Bundlers are in groups of their own, so the folder tells more than the group.
    expect(await processesIn(copy)).toEqual([]);
    await expect.poll(() => isAlive(groupOf(npm))).toBe(false);
    expect(lines.filter((line) => line.startsWith('site: '))).toEqual([
      'site: building the parts that changed …',
    ]);
  } finally {
    await removeDirectory(copy);
  }
});

test('a lead that is on its way at Ctrl-C gets its answer', async () => {
  const site = await startSite(dataDirectory);
  const sending = request(`${site.url}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
  });
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  sending.write('{ "name": ');
  const stopping = waitForLine(site.process, /lead-service: stopping/);
  // What comes after it has been answered, so the service has the beginning of the lead.
  await fetch(`${site.url}/api/contact`, { method: 'POST', body: '{}' });
  const stopped = site.stop();
  await stopping;
  sending.end('"J" }');
  const [answer] = await answered;
  expect(answer.statusCode).toBe(422);
  expect(await text(answer)).toContain('Name must be at least 2 characters');
  expect(await stopped).toBe(0);
});

test('while what the lock file names is installed, the install says nothing', async () => {
  const copy = await copyProject(['bootstrap.mjs', 'package-lock.json']);
  try {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['bootstrap.mjs'], {
      cwd: copy,
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  } finally {
    await removeDirectory(copy);
  }
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
