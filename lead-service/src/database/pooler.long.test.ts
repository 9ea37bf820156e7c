import assert from 'node:assert/strict';
import { chmodSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { installProgram } from '../testing/install-program.ts';
import { listenLocally } from '../testing/local-server.ts';
import { statusOfLead } from '../testing/send-lead.ts';
import { runLeads, startProgram, startService } from '../testing/service-process.ts';
import { postgres, urlOf } from '../testing/test-databases.ts';

const options = {
  skip:
    postgres.options.skip || (!installProgram('pgbouncer') && 'PgBouncer is missing and cannot be installed'),
};
const leads = 200;
const atOnce = 20;
const connections = 5;

/** Starts PgBouncer in front of a database, and returns the URL through it. Disposal stops it. */
async function startPooler(database: URL, mode: string) {
  const folder = mkdtempDisposableSync('/tmp/pgbouncer-');
  const { hostname, port, username, password, pathname } = database;
  const server = createServer();
  const poolerPort = await listenLocally(server);
  await server[Symbol.asyncDispose]();
  const secret = password && ` password='${decodeURIComponent(password)}'`;
  const file = join(folder.path, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${port || 5432} user=${username}${secret}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${poolerPort}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${connections}
`,
  );
  // PgBouncer does not run as root. Any other user may then read the file.
  chmodSync(folder.path, 0o755);
  const user = process.getuid?.() === 0 ? { uid: 65_534 } : {};
  const pooler = startProgram('pgbouncer', [file], user);
  await pooler.line('process up');
  return {
    url: `postgres://anybody@127.0.0.1:${poolerPort}${pathname}`,
    async [Symbol.asyncDispose]() {
      await pooler.crash();
      folder.remove();
    },
  };
}

test('pooler in transaction mode: every lead gets 201, and commands work', options, async () => {
  await using database = await postgres.create();
  await using pooler = await startPooler(urlOf(database), 'transaction');
  const environment = { ...database.environment, DATABASE_URL: pooler.url };
  await using service = startService(environment);
  const url = await service.url();
  const statuses = new Map<number, number>();
  let next = 0;
  const send = async () => {
    while (next < leads) {
      next += 1;
      const status = await statusOfLead({ url }, { message: `Message number ${next} of this test.` });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  assert.deepEqual([...statuses], [[201, leads]]);
  assert.equal((await database.leads()).length, leads);
  // A second start migrates, too. Nothing may hold the lock of the first one.
  const lists = await Promise.all(Array.from({ length: connections }, () => runLeads(environment, ['list'])));
  for (const { code, stderr } of lists) assert.equal(code, 0, stderr);
});

test('pooler in statement mode: the service does not start, and says why', options, async () => {
  await using database = await postgres.create();
  await using pooler = await startPooler(urlOf(database), 'statement');
  await using service = startService({ ...database.environment, DATABASE_URL: pooler.url });
  assert.equal((await service.exit).code, 1);
  assert.match(service.stderr.join('\n'), /Cannot use the database at .* statement pooling mode/);
});
