import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import { readConfig } from '../config.ts';
import { projectDirectory } from '../publish/build-parts.ts';
import { startLeadService } from './lead-service-process.ts';

const run = promisify(execFile);
const leadsCommand = join(projectDirectory, 'lead-service', 'src', 'cli', 'main.ts');

let directory: string;
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'release-leads-'))));
afterEach(() => rm(directory, { recursive: true }));

/** Names of the leads that `npm run leads -- list` prints in another working directory. */
async function listedNames(DATA_DIR: string): Promise<string[]> {
  const { stdout } = await run(process.execPath, [leadsCommand, 'list', '--json'], {
    cwd: tmpdir(),
    env: { DATA_DIR },
  });
  const { leads } = JSON.parse(stdout) as { readonly leads: readonly { readonly name: string }[] };
  return leads.map(({ name }) => name);
}

/** Starts the service as `npm start` does with this value, and sends one lead. */
async function sendLead(DATA_DIR: string, name: string): Promise<void> {
  const { dataDirectory } = readConfig({ DATA_DIR });
  const { origin, stop } = await startLeadService(0, dataDirectory, join(directory, 'index.html'));
  try {
    const { status } = await fetch(`${origin}/api/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, email: 'ada@example.com', message: `This lead is from ${name}.` }),
    });
    assert.equal(status, 201);
  } finally {
    await stop();
  }
}

test('DATA_DIR: one value finds the same leads in npm start and npm run leads', async () => {
  const data = join(directory, 'data');
  await sendLead(data, 'Ada');
  assert.deepEqual(await listedNames(data), ['Ada']);
  await sendLead(relative(projectDirectory, data), 'Grace');
  assert.deepEqual(await listedNames(relative(projectDirectory, data)), ['Grace', 'Ada']);
  assert.deepEqual(await listedNames(join(data, 'leads')), ['Grace', 'Ada']);
});

test('DATA_DIR: npm start finds the leads of a service that was started alone', async () => {
  await sendLead(directory, 'Ada');
  const alone = join(directory, 'leads');
  await sendLead(alone, 'Grace');
  assert.deepEqual(await listedNames(alone), ['Grace', 'Ada']);
});
