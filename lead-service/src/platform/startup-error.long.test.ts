import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { makeToken } from '../testing/hosted-service.ts';
import { listenLocally } from '../testing/local-server.ts';
import { startService } from '../testing/service-process.ts';
import { postgres, urlOf } from '../testing/test-databases.ts';

/** Starts the service, expects a failed start, and returns its error output. */
async function refusal(environment: Readonly<Record<string, string>>): Promise<string> {
  await using service = startService(environment);
  assert.deepEqual(await service.exit, { code: 1, signal: null });
  assert.deepEqual(service.stdout, []);
  return service.stderr.join('\n');
}

describe('startup error: the service says why and what to do, and exits with 1,', () => {
  let directory: string;
  beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'lead-service-'))));
  afterEach(() => rm(directory, { recursive: true }));

  for (const [variable, settings] of Object.entries({
    LEADS_PORT: {},
    METRICS_PORT: {},
    ADMIN_PORT: { ADMIN_TOKENS: makeToken('ada', ['read']).setting },
  })) {
    test(`when the port of ${variable} is in use`, async () => {
      await using server = createServer();
      const port = await listenLocally(server);
      assert.equal(
        await refusal({ ...settings, [variable]: String(port), DATA_DIR: directory }),
        `lead-service: Port ${port} on 127.0.0.1 is in use. ` +
          `Stop the process that listens there, or set ${variable} to a free port.`,
      );
    });
  }

  test('when the host is not an address of this machine', async () => {
    assert.equal(
      await refusal({ LEADS_HOST: '192.0.2.1', DATA_DIR: directory }),
      'lead-service: Cannot listen on 192.0.2.1, port 0 (EADDRNOTAVAIL). Check LEADS_HOST and LEADS_PORT.',
    );
  });

  test('when the data directory cannot be written', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    assert.equal(
      await refusal({ DATA_DIR: join(file, 'leads') }),
      `lead-service: Cannot write to ${file}/leads (ENOTDIR: not a directory, mkdir '${file}/leads'). ` +
        'Set DATA_DIR to a folder that this user may write to.',
    );
  });

  test('when the secret in the data directory is truncated', async () => {
    const file = join(directory, 'secret');
    for (const rest of ['', 'short\n']) {
      await writeFile(file, rest);
      assert.equal(
        await refusal({ DATA_DIR: directory }),
        `lead-service: ${file} has fewer than 32 characters and is not a valid secret. ` +
          'Restore it, or remove it: the service then creates a new one, and all users must log in again.',
      );
    }
  });

  test('when the database file is not a database', async () => {
    const file = join(directory, 'leads.sqlite');
    await writeFile(file, 'These are last year’s leads. '.repeat(100));
    assert.equal(
      await refusal({ DATA_DIR: directory }),
      `lead-service: Cannot use ${file} (file is not a database). ` +
        'Set DATA_DIR to a folder that this user may write to, or restore a backup.',
    );
  });

  test(
    'when the PostgreSQL database does not exist, without quoting the password',
    postgres.options,
    async () => {
      await using database = await postgres.create();
      const url = urlOf(database);
      url.pathname = 'missing';
      url.password = 'secret';
      const output = await refusal({ ...database.environment, DATABASE_URL: url.href });
      assert.match(
        output,
        /^lead-service: Cannot use the database at postgres:\/\/[^/]+\/missing \(database "missing" does not exist\)\. Check DATABASE_URL/,
      );
      assert.doesNotMatch(output, /secret/);
    },
  );
});
