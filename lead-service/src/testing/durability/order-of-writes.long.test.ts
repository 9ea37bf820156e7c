import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { sql, type Kysely } from 'kysely';
import { connect } from '../../database/database.ts';
import type { Tables } from '../../database/tables.ts';
import { createMemoryLog } from '../memory-log.ts';
import { statusOfLead } from '../send-lead.ts';
import { startService, type ServiceProcess } from '../service-process.ts';
import { postgres, sqlite, type TestDatabase } from '../test-databases.ts';
import { watchSystemCalls, type SystemCalls } from './system-calls.ts';

const request = /^read\(.*"POST \/api\/contact/;
const answered = /^writev?\(.*HTTP\/1\.1 201/;
/** The end of PostgreSQL's answer to a statement outside a transaction (`ReadyForQuery` with status `I`). */
const readyAgain = /^read\(.*SELECT 1\\0Z\\0\\0\\0\\5I/;

test('order of writes on SQLite: the WAL is synced before the answer is sent', async () => {
  await using database = await sqlite.create();
  using calls = watchSystemCalls();
  await using service = startService({ ...database.environment, DELIVERY: 'off' }, calls.command);
  await sendOne(service);
  await end(service);

  const steps = { request, written: /^pwrite64\(.*-wal>/, synced: /^f(data)?sync\(.*-wal>.* = 0$/, answered };
  const taken = calls.order(steps);
  const fromRequest = taken.slice(taken.indexOf('request'), taken.indexOf('answered') + 1);
  // After a reset, SQLite syncs the WAL header before it writes frames, so `synced` may occur twice.
  assert.deepEqual([...new Set(fromRequest)], ['request', 'written', 'synced', 'answered']);
  assert.deepEqual(fromRequest.slice(-3), ['written', 'synced', 'answered']);
});

describe('order of writes on PostgreSQL', postgres.options, () => {
  test('the commit is confirmed before the answer is sent', async () => {
    await using database = await postgres.create();
    using calls = watchSystemCalls();
    await using service = startService({ ...database.environment, DELIVERY: 'off' }, calls.command);
    await sendOne(service);
    await end(service);

    const steps = { request, insert: /^writev?\(.*with claims/, confirmed: readyAgain, answered };
    const taken = calls.order(steps);
    const fromRequest = taken.slice(taken.indexOf('request'), taken.indexOf('answered') + 1);
    assert.deepEqual(fromRequest, ['request', 'insert', 'confirmed', 'answered']);
  });

  test('PostgreSQL confirms a commit after it is on disk', async (t) => {
    await using database = await postgres.create();
    await using service = startService({ ...database.environment, DELIVERY: 'off' });
    await sendOne(service);
    const server = await probe(database);
    assert.equal(server.fsync, 'on');
    using calls = watchSystemCalls();
    const tracer = await attach(calls, server.processes);
    if (tracer === undefined) {
      return t.skip('The processes of PostgreSQL cannot be watched from here. It says itself: fsync = on.');
    }
    await sendOne(service);
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

let sent = 0;

async function sendOne(service: ServiceProcess): Promise<void> {
  const name = `Ada Lovelace ${(sent += 1)}`;
  assert.equal(await statusOfLead({ url: await service.url() }, { name }), 201);
}

/** Closes the IPC channel, because a signal would reach only the tracer. */
async function end(service: ServiceProcess): Promise<void> {
  service.child.disconnect();
  await service.exit;
}

/** Settings of the server, and the ids of its backends for the service. */
async function probe({ location }: TestDatabase) {
  const { db, close } = connect(location, createMemoryLog());
  const [settings] = await rows<{ fsync: string }>(db, 'show fsync');
  const serving = await rows<{ pid: number }>(
    db,
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await close();
  return { fsync: settings?.fsync, processes: serving.map(({ pid }) => pid) };
}

/** Traces processes of PostgreSQL, unless they run on another machine or tracing is not permitted. */
async function attach(calls: SystemCalls, pids: readonly number[]): Promise<ChildProcess | undefined> {
  const areHere = pids.every((pid) => {
    const file = `/proc/${pid}/comm`;
    return existsSync(file) && readFileSync(file, 'utf8').startsWith('postgres');
  });
  if (!areHere) return undefined;
  const [command = '', ...args] = [...calls.command, ...pids.flatMap((pid) => ['-p', String(pid)])];
  const tracer = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const [said] = await once(tracer.stderr, 'data');
  return String(said).includes('attached') ? tracer : undefined;
}

async function rows<Row>(db: Kysely<Tables>, statement: string): Promise<Row[]> {
  return (await sql.raw<Row>(statement).execute(db)).rows;
}
