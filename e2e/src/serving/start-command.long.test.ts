import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readlink, realpath, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import {
  childrenOf,
  end,
  environmentWith,
  makeDataDirectory,
  projectDirectory,
  removeDirectory,
  spawnStart,
  startServer,
  startSite,
  waitForLine,
} from '../site/running-site.ts';
import { copyProject } from '../site/project-copy.ts';

let dataDirectory: string;
test.beforeEach(async () => {
  dataDirectory = await makeDataDirectory();
});
test.afterEach(() => removeDirectory(dataDirectory));

/** Expects that a start fails with exit code 1, and returns what it prints. */
async function failedStart(variables: Readonly<Record<string, string>>): Promise<string> {
  const start = spawnStart({ PORT: '0', LEADS_PORT: '0', DATA_DIR: dataDirectory, ...variables });
  const [, printed] = await Promise.all([once(start, 'exit'), start.stderr ? text(start.stderr) : '']);
  expect(start.exitCode).toBe(1);
  return printed.trim();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('npm start: prints progress and URL; Ctrl-C stops all its processes', async () => {
  const site = await startSite(dataDirectory);
  expect(site.lines[0]).toBe('site: building the parts that changed …');
  expect(site.lines.join('\n')).toContain('published mf-pricing');
  expect(site.lines.join('\n')).toContain(`open ${site.url}`);
  const children = await childrenOf(Number(site.process.pid));
  expect(children).not.toEqual([]);
  expect(await site.stop()).toBe(0);
  expect(children.filter(isAlive)).toEqual([]);
  await expect(fetch(site.url)).rejects.toThrow();
});

/** Ids of the processes whose working directory is a folder, or below it. */
async function processesIn(directory: string): Promise<number[]> {
  const folder = await realpath(directory);
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(ids.map((id) => readlink(`/proc/${id}/cwd`).catch(() => undefined)));
  return ids.map(Number).filter((_id, index) => `${folders[index]}/`.startsWith(`${folder}/`));
}

/** Runs `npm start` as a terminal does: as the leader of a process group, which receives Ctrl-C as a whole. */
function spawnNpmStart(directory: string): ChildProcess {
  return spawn('npm', ['start'], {
    cwd: directory,
    detached: true,
    env: environmentWith({
      DATABASE_URL: undefined,
      DATA_DIR: dataDirectory,
      PORT: '0',
      LEADS_PORT: '0',
      BOARD_PORT: '0',
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Sends Ctrl-C, waits for the end of npm, and returns its exit code or signal. */
async function pressControlC(npm: ChildProcess): Promise<number | NodeJS.Signals | null> {
  const ended = once(npm, 'exit');
  process.kill(groupOf(npm), 'SIGINT');
  await ended;
  return npm.signalCode ?? npm.exitCode;
}

/** Negative ID of a leader, which addresses its process group. */
function groupOf(leader: ChildProcess): number {
  return -Number(leader.pid);
}

test('npm start: Ctrl-C in a terminal ends the whole process group', async () => {
  test.slow();
  const npm = spawnNpmStart(projectDirectory);
  const lines: string[] = [];
  await waitForLine(npm, /http:\/\/localhost:\d+/, lines);
  expect(await pressControlC(npm)).toBe(0);
  await expect.poll(() => isAlive(groupOf(npm))).toBe(false);
  expect(lines).toContain('site: stopped');
});

test('npm start: Ctrl-C during the build ends all bundlers', async () => {
  test.slow();
  // In a copy, because an interrupted build leaves incomplete files behind.
  const copy = await copyProject([
    ...['shell', 'mf-header', 'mf-content', 'mf-pricing', 'mf-leads', 'lead-service', 'release', 'packages'],
    ...['package.json', 'package-lock.json', 'turbo.json', 'scripts/bootstrap.mjs'],
    'tsconfig.base.json',
  ]);
  try {
    const npm = spawnNpmStart(copy);
    const lines: string[] = [];
    await waitForLine(npm, /building the parts that changed/, lines);
    // npm, its shell, Turborepo and its first bundlers.
    await expect.poll(async () => (await processesIn(join(copy, 'mf-pricing'))).length).toBeGreaterThan(1);
    expect(await pressControlC(npm)).toBe(0);
    // Bundlers have separate process groups, so processes are found by their folder.
    expect(await processesIn(copy)).toEqual([]);
    await expect.poll(() => isAlive(groupOf(npm))).toBe(false);
    expect(lines.filter((line) => line.startsWith('site: '))).toEqual([
      'site: building the parts that changed …',
    ]);
  } finally {
    await removeDirectory(copy);
  }
});

test('npm start: a lead in flight at Ctrl-C gets its response', async () => {
  const site = await startSite(dataDirectory);
  const sending = request(`${site.url}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
  });
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  sending.write('{ "name": ');
  const stopping = waitForLine(site.process, /lead-service: stopping/);
  // A later request was answered, so the service has received the start of the lead.
  await fetch(`${site.url}/api/contact`, { method: 'POST', body: '{}' });
  const stopped = site.stop();
  await stopping;
  sending.end('"J" }');
  const [answer] = await answered;
  expect(answer.statusCode).toBe(422);
  expect(await text(answer)).toContain('Name must be at least 2 characters');
  expect(await stopped).toBe(0);
});

test('npm start: a killed start leaves no service behind', async () => {
  const site = await startSite(dataDirectory);
  const children = await childrenOf(Number(site.process.pid));
  await end(site.process, 'SIGKILL');
  await expect.poll(() => children.filter(isAlive)).toEqual([]);
});

for (const variable of ['PORT', 'LEADS_PORT']) {
  test(`npm start: a busy ${variable} prints one message, exit code 1`, async () => {
    await using other = await startServer(() => undefined);
    const { port } = other;
    const printed = await failedStart({ [variable]: port });
    expect(printed).toBe(
      `Port ${port} is in use. Stop the process that listens there, or choose another with ${variable}=<port>.`,
    );
  });
}

test('npm start: an unwritable data folder prints one message, exit code 1', async () => {
  const file = join(dataDirectory, 'file');
  await writeFile(file, '');
  const printed = await failedStart({ DATA_DIR: join(file, 'data') });
  expect(printed).toContain(
    'cannot be written. Give this user access to it, or choose another with DATA_DIR=<folder>.',
  );
  expect(printed.split('\n')).toHaveLength(1);
});
