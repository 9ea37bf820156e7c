import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { sql, type Kysely } from 'kysely';
import { createMemoryLog } from '../testing/memory-log.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { startService, type ServiceProcess } from '../testing/service-process.ts';
import { createSqlite, databaseKinds, type TestDatabase } from '../testing/test-databases.ts';
import { connect } from '../store/database.ts';
import { accessDatabase } from '../store/dialects.ts';
import type { Tables } from '../store/tables.ts';
import { watchSystemCalls, type SystemCalls } from './system-calls.ts';

const request = /^read\(.*"POST \/api\/contact/;
const thanks = /^writev?\(.*HTTP\/1\.1 201/;
/** The end of PostgreSQL's answer to a statement: it is done, and so is its transaction (`I`). */
const readyAgain = /^read\(.*SELECT 1\\0Z\\0\\0\\0\\5I/;

test('on SQLite the log of the database is on disk before the first byte of the thanks is sent', async () => {
  await using database = await createSqlite();
  using calls = watchSystemCalls();
  await using service = startService({ ...database.environment, DELIVERY: 'off' }, calls.command);
  await sendLead(service);
  await end(service);

  const steps = { request, written: /^pwrite64\(.*-wal>/, synced: /^f(data)?sync\(.*-wal>.* = 0$/, thanks };
  const taken = calls.order(steps);
  const fromRequest = taken.slice(taken.indexOf('request'), taken.indexOf('thanks') + 1);
  // A log that begins anew is synced once more, before what is written into it.
  assert.deepEqual([...new Set(fromRequest)], ['request', 'written', 'synced', 'thanks']);
  assert.deepEqual(fromRequest.slice(-3), ['written', 'synced', 'thanks']);
});

for (const kind of databaseKinds.filter(({ name }) => name === 'PostgreSQL')) {
  describe('on PostgreSQL', () => {
    test('the commit is confirmed before the first byte of the thanks is sent', async () => {
      await using database = await kind.create();
      using calls = watchSystemCalls();
      await using service = startService({ ...database.environment, DELIVERY: 'off' }, calls.command);
      await sendLead(service);
      await end(service);

      const steps = { request, insert: /^writev?\(.*with claims/, confirmed: readyAgain, thanks };
      const taken = calls.order(steps);
      const fromRequest = taken.slice(taken.indexOf('request'), taken.indexOf('thanks') + 1);
      assert.deepEqual(fromRequest, ['request', 'insert', 'confirmed', 'thanks']);
    });

    test('a commit is confirmed once it is on disk', async (t) => {
      await using database = await kind.create();
      await using service = startService({ ...database.environment, DELIVERY: 'off' });
      await sendLead(service);
      const server = await look(database);
      assert.equal(server.fsync, 'on');
      using calls = watchSystemCalls();
      const tracer = await attach(calls, server.processes);
      if (tracer === undefined) {
        t.diagnostic('The processes of PostgreSQL cannot be watched from here. It says itself: fsync = on.');
        return;
      }
      await sendLead(service);
      tracer.kill('SIGINT');
      await once(tracer, 'exit');

      const steps = {
        insert: /^recvfrom\(.*with claims/,
        synced: /^f(data)?sync\(.*pg_wal.* = 0$/,
        confirmed: /^sendto\(.*SELECT 1\\0Z/,
      };
      const taken = calls.order(steps);
      assert.deepEqual(taken.slice(taken.indexOf('insert')).slice(0, 3), ['insert', 'synced', 'confirmed']);
      t.diagnostic('strace of PostgreSQL: pg_wal was synced between the insert and its confirmation.');
    });
  });
}

let sent = 0;

async function sendLead(service: ServiceProcess): Promise<void> {
  const answer = await fetch(`${await service.url()}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...sampleLead, name: `Ada Lovelace ${(sent += 1)}` }),
  });
  assert.equal(answer.status, 201);
  await answer.text();
}

/** A signal would reach the tracer only. */
async function end(service: ServiceProcess): Promise<void> {
  service.child.disconnect();
  await service.exit;
}

/** What the server says of itself, and which processes of it serve the service. */
async function look({ location }: TestDatabase) {
  const { db, close } = connect(accessDatabase(location, createMemoryLog()));
  const [settings] = await rows<{ fsync: string }>(db, 'show fsync');
  const serving = await rows<{ pid: number }>(
    db,
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await close();
  return { fsync: settings?.fsync, processes: serving.map(({ pid }) => pid) };
}

/** Watches processes of PostgreSQL, unless they run on another machine or may not be watched. */
async function attach(calls: SystemCalls, pids: readonly number[]): Promise<ChildProcess | undefined> {
  const areHere = pids.every((pid) => {
    const file = `/proc/${pid}/comm`;
    return existsSync(file) && readFileSync(file, 'utf8').startsWith('postgres');
  });
  if (!areHere) return undefined;
  const [command = '', ...words] = [...calls.command, ...pids.flatMap((pid) => ['-p', String(pid)])];
  const tracer = spawn(command, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  const [said] = await once(tracer.stderr, 'data');
  return String(said).includes('attached') ? tracer : undefined;
}

async function rows<Row>(db: Kysely<Tables>, statement: string): Promise<Row[]> {
  return (await sql.raw<Row>(statement).execute(db)).rows;
}
