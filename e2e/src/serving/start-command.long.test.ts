import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import {
  childrenOf,
  end,
  makeDataDirectory,
  removeDirectory,
  spawnStart,
  startServer,
  startSite,
} from '../site/running-site.ts';

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

test('npm start: a killed start leaves no service behind', async () => {
  const site = await startSite(dataDirectory);
  const children = await childrenOf(Number(site.process.pid));
  await end(site.process, 'SIGKILL');
  await expect.poll(() => children.filter(isAlive)).toEqual([]);
});

for (const variable of ['PORT', 'LEADS_PORT', 'BOARD_PORT']) {
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
