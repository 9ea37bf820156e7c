import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { planDeliveries } from '../lead-store/lead-store.ts';
import { openSpool } from '../lead-store/spool.ts';
import { noopLog } from '../platform/log.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { runLeads, startService } from '../testing/service-process.ts';
import { storeLead, suspicious } from '../testing/store-lead.ts';
import { onEachDatabase, sqlite } from '../testing/test-databases.ts';

const idsOf = (json: string) => JSON.parse(json).leads.map(({ id }: { id: string }) => id);

onEachDatabase('leads command', (test, kind) => {
  test('commands work while the service runs', async (database) => {
    // Without deliveries, because a failed attempt would make a replayed one wait again.
    await using service = startService({ ...database.environment, DELIVERY: 'off' });
    await service.url();
    const lead = await storeLead(database);
    const held = await storeLead(database, { classification: suspicious });
    const outbox = database.db.updateTable('outbox').where('leadId', '=', lead.id);
    await outbox.set({ state: 'dead', attempts: 12 }).execute();
    const print = async (...args: string[]) => (await runLeads(database.environment, args)).stdout;

    const list = await print('list');
    assert.match(list, new RegExp(`${lead.id}[^]*${sampleLead.email}`));
    assert.doesNotMatch(list, new RegExp(held.id));
    assert.deepEqual(idsOf(await print('list', 'ADA@EXAMPLE', '--json')), [held.id, lead.id]);
    assert.match(await print('show', held.id), new RegExp(`${sampleLead.message}[^]*held`));

    const released = await print('spam', held.id, '--undo');
    assert.equal(released, `${held.id} is out of quarantine; 2 deliveries to be made.\n`);
    assert.equal(await print('spam', lead.id), `${lead.id} is in quarantine; 2 deliveries held.\n`);
    assert.deepEqual(idsOf(await print('list', '--quarantine', 'only', '--json')), [lead.id]);

    // The dead letters are among the held deliveries.
    assert.match((await runLeads(database.environment, ['dead-letters'])).stderr, /no dead letters/);
    await outbox.set({ state: 'dead' }).execute();
    const [first, second, ...others] = JSON.parse(await print('dead-letters', '--json'));
    assert.deepEqual(others, []);
    const replayed = await print('dead-letters', '--replay', first.id);
    assert.equal(replayed, '1 delivery will be tried again.\n');
    assert.equal(await print('dead-letters', '--discard', second.id), '1 dead letter discarded.\n');
    const names = Array.from({ length: 500 }, (_, index) => `crm-${index}`);
    const many = planDeliveries(lead, names).map((row) => ({ ...row, state: 'dead' as const }));
    await database.db.insertInto('outbox').values(many).execute();
    const listed = await runLeads(database.environment, ['dead-letters']);
    assert.equal(listed.stderr, 'There are more. These are the 500 oldest.\n');

    const csv = await print('export', '--type', 'contact');
    const [, ...rowsBelowHead] = csv.trimEnd().split('\r\n');
    assert.equal(rowsBelowHead.length, 2);
    await using spool = await openSpool(database.dataDirectory, noopLog);
    await storeLead(spool);
    const erased = await runLeads(database.environment, ['erase', '-', '--yes'], {
      input: sampleLead.email,
    });
    assert.deepEqual([erased.code, erased.stdout], [0, '3 leads erased.\n']);
    assert.deepEqual(await database.leads(), []);
    assert.equal(await spool.depth(), 0);
  });

  test('a backup restores all leads into an empty database, and its metric has its time', async (source) => {
    await storeLead(source);
    await storeLead(source);
    const [file, metrics] = ['new/leads.jsonl', 'backup.prom'].map((name) =>
      join(source.dataDirectory, name),
    );
    const begin = Math.floor(Date.now() / 1_000);
    const backup = await runLeads(source.environment, ['backup', file ?? '', '--metrics', metrics ?? '']);
    assert.deepEqual(backup, { code: 0, stdout: `All leads of the database are in ${file}.\n`, stderr: '' });
    const [, time] = /^leads_backup_time_seconds (\d+)\n$/.exec(readFileSync(metrics ?? '', 'utf8')) ?? [];
    assert.ok(begin <= Number(time) && Number(time) <= Date.now() / 1_000, time);
    const refused = await runLeads(source.environment, ['backup', `${metrics}/leads.jsonl`]);
    assert.match(refused.stderr, /^Cannot write .*EEXIST/);
    const unmetered = await runLeads(source.environment, [
      'backup',
      file ?? '',
      '--metrics',
      `${file}/b.prom`,
    ]);
    assert.match(`${unmetered.stdout}${unmetered.stderr}`, /^All leads .*\nCannot write .*b\.prom .*EEXIST/);
    await using target = await kind.create();
    const restored = await runLeads(target.environment, ['import', file ?? '']);
    assert.deepEqual(restored, {
      ...{ code: 0, stderr: '' },
      stdout: '2 leads imported, 0 were there.\n2 deliveries planned (WEBHOOKS is not set).\n',
    });
    assert.deepEqual(await target.leadIds(), await source.leadIds());
  });
});

test('leads command: import reads more than its memory, from stdin or a plain file', async () => {
  await using source = await sqlite.open();
  await storeLead(source, { message: `A line separator\u2028 of Unicode. ${'m'.repeat(4_900)}` });
  const line = (await runLeads(source.environment, ['export', '--format', 'jsonl'])).stdout;
  const copies = Array.from({ length: 6_000 }, () => line.replace(/(?<="id":")[^"]+/, randomUUID()));
  const file = join(source.dataDirectory, 'leads.jsonl');
  writeFileSync(file, copies.join(''));
  await using target = await sqlite.create();
  const environment = { ...target.environment, NODE_OPTIONS: '--max-old-space-size=64' };
  const imported = await runLeads(environment, ['import', '-'], { input: copies.join('') });
  assert.match(imported.stdout, /^6000 leads imported, 0 were there\.\n/, imported.stderr);
  const repeated = await runLeads(environment, ['import', file]);
  assert.equal(repeated.stdout, '0 leads imported, 6000 were there.\n', repeated.stderr);

  writeFileSync(file, 'no line break '.repeat(200_000));
  const refused = await runLeads(environment, ['import', file]);
  assert.deepEqual([refused.code, refused.stdout], [2, '']);
  assert.match(refused.stderr, /^Line 1 is no lead\./);
  assert.match((await runLeads(environment, ['import', `${file}x`])).stderr, /^Cannot read .*ENOENT/);
});

test('leads command: an error exits with 1, wrong usage with 2, and a message', async () => {
  await using database = await sqlite.open();
  const run = (...args: string[]) => runLeads(database.environment, args);
  const [help, unknown, time, lead, erase, address, retention] = await Promise.all([
    run('--help'),
    run('lsit'),
    run('list', '--since', 'yesterday'),
    run('show', 'x'),
    run('erase', sampleLead.email),
    run('erase', 'ada', '--yes'),
    run('retention'),
  ]);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /^Usage: leads/);
  const codes = [unknown, time, lead, erase, address, retention].map(({ code }) => code);
  assert.deepEqual(codes, [2, 2, 1, 2, 2, 2]);
  assert.match(unknown.stderr, /list/);
  assert.equal(lead.stderr, 'There is no lead with this id. Look it up in the list.\n');
  assert.match(erase.stderr, /Nothing was erased/);
  assert.match(retention.stderr, /Nothing was deleted/);
});

test('leads command: a damaged file is named as the reason', async () => {
  await using database = await sqlite.open();
  await storeLead(database);
  await database.execute('pragma wal_checkpoint(truncate)');
  const { rows } = await sql<{ page: number; size: number }>`
    select rootpage as page, page_size as size from sqlite_master, pragma_page_size where name = 'leads'
  `.execute(database.db);
  const [{ page, size } = assert.fail()] = rows;
  const file = openSync(join(database.dataDirectory, 'leads.sqlite'), 'r+');
  writeSync(file, Buffer.alloc(size, 0xff), 0, size, (page - 1) * size);
  closeSync(file);
  const { code, stderr } = await runLeads(database.environment, ['list']);
  assert.equal(code, 1);
  assert.match(stderr, /\(database disk image is malformed\)\. .* disk or the file, repair that first\.\n$/);
});

test('leads command: a reader that closes the pipe early is no error', async () => {
  await using database = await sqlite.open();
  for (let index = 0; index < 300; index += 1) await storeLead(database, { message: 'm'.repeat(2_000) });
  const reader = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), 'export'], {
    env: { ...database.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  reader.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await once(reader.stdout, 'data');
  reader.stdout.destroy();
  assert.deepEqual(await once(reader, 'close'), [0, null]);
  assert.equal(errors, '');
});

test('leads command: a folder without leads is refused, and control characters reach no terminal', async () => {
  await using empty = await sqlite.create();
  const refused = await runLeads(empty.environment, ['list']);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /^There are no leads in \S+ yet\./);

  await using database = await sqlite.open();
  const { id } = await storeLead(database, { name: 'A\u001b[31m\u202eB', message: 'One\u0007\nTwo' });
  for (const args of [['list'], ['show', id], ['list', '--json'], ['show', id, '--json']]) {
    const { stdout } = await runLeads(database.environment, args);
    assert.doesNotMatch(stdout, /(?!\n)[\p{Cc}\p{Bidi_Control}]/u, args.join(' '));
  }
});

test('leads command: token prints a token and its setting', async () => {
  const { stdout } = await runLeads({}, ['token', 'release', '--scope', 'reports', '--json']);
  const { token, setting } = JSON.parse(stdout);
  assert.match(token, /^leads_[\w-]{43}$/);
  assert.match(setting, /^release:reports:[\da-f]{64}$/);
  assert.equal((await runLeads({}, ['token', 'Release'])).code, 2);
});
