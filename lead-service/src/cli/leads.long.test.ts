import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sampleLead } from '../testing/sample-lead.ts';
import { startService, runLeads } from '../testing/service-process.ts';
import { suspicious, storeLead } from '../testing/store-lead.ts';
import { databaseKinds, sqlite } from '../testing/test-databases.ts';
import { commandLineActor } from './open-admin-context.ts';

for (const kind of databaseKinds) {
  describe(`leads command on ${kind.name}`, kind.options, () => {
    test('commands work while the service runs, and the audit log names the actor', async () => {
      await using database = await kind.open();
      await using service = startService(database.environment);
      await service.url();
      const lead = await storeLead(database);
      const held = await storeLead(database, { name: 'Charles', type: 'demo', classification: suspicious });
      // The commands need no secret of the service.
      const environment = new Map(Object.entries(database.environment));
      environment.delete('LEADS_SECRET');
      const run = (...args: string[]) => runLeads(Object.fromEntries(environment), args);

      const [list, quarantine, show, search] = await Promise.all([
        run('list'),
        run('list', '--quarantine', 'only', '--json'),
        run('show', lead.id),
        run('search', 'ADA@EXAMPLE', '--json'),
      ]);
      assert.equal(list.code, 0);
      assert.match(list.stdout, new RegExp(`${lead.id}.*new.*${sampleLead.email}`));
      assert.doesNotMatch(list.stdout, new RegExp(held.id));
      assert.deepEqual(idsOf(quarantine.stdout), [held.id]);
      assert.match(show.stdout, new RegExp(`${sampleLead.message}[^]*held|pending`));
      assert.deepEqual(idsOf(search.stdout), [held.id, lead.id]);

      assert.deepEqual(await run('set-status', lead.id, 'won'), {
        code: 0,
        stdout: `${lead.id} is won.\n`,
        stderr: '',
      });
      const stats = JSON.parse((await run('stats', '--json')).stdout);
      assert.deepEqual(stats.byStatus, [{ name: 'won', count: 1 }]);
      assert.equal(stats.quarantined, 1);

      const entries = await database.rows('auditEntries');
      assert.deepEqual(entries.map(({ action }) => action).sort(), [
        'lead.list',
        'lead.list',
        'lead.read',
        'lead.search',
        'lead.set-status',
      ]);
      assert.deepEqual([...new Set(entries.map(({ actor }) => actor))], [commandLineActor()]);
      const [change] = entries.filter(({ action }) => action === 'lead.set-status');
      assert.deepEqual(
        [change?.leadId, JSON.parse(change?.details ?? '')],
        [lead.id, { from: 'new', to: 'won' }],
      );
      assert.doesNotMatch(JSON.stringify(entries), /ada@|lovelace|example/i);
    });

    test('spam holds leads with what is not delivered yet, until not-spam releases them', async () => {
      await using database = await kind.open();
      const { id } = await storeLead(database, { status: 'contacted' });
      await storeLead(database);
      await database.update('outbox', { state: 'done' }, { kind: 'sales-mail' });
      const dead = { state: 'dead', finishedAt: new Date().toISOString() } as const;
      await database.update('outbox', dead, { kind: 'webhook' });
      const states = async () => (await database.rows('outbox', { leadId: id })).map(({ state }) => state);

      const marked = await runLeads(database.environment, ['spam', id]);
      assert.deepEqual([marked.code, marked.stdout], [0, `${id} is in quarantine; 2 deliveries are held.\n`]);
      assert.deepEqual(await states(), ['done', 'held', 'held']);
      const again = await runLeads(database.environment, ['spam', id, '--json']);
      assert.deepEqual(JSON.parse(again.stdout), [{ id, deliveries: 0 }]);
      const only = await runLeads(database.environment, ['list', '--quarantine', 'only', '--json']);
      assert.deepEqual(idsOf(only.stdout), [id]);
      assert.match(only.stdout, /"status": "contacted"/);

      await runLeads(database.environment, ['not-spam', id]);
      assert.deepEqual(await states(), ['done', 'pending', 'pending']);
      assert.equal((await runLeads(database.environment, ['spam', 'none'])).code, 1);
    });

    test('replay sends dead letters again, by id or all', async () => {
      await using database = await kind.open();
      await storeLead(database);
      await database.update('outbox', { state: 'dead', attempts: 12 });
      const run = (...args: string[]) => runLeads(database.environment, args);

      const letters = JSON.parse((await run('dead-letters', '--json')).stdout);
      assert.equal(letters.length, 3);
      assert.equal((await run('replay')).code, 2);
      const one = await run('replay', letters[0].id, '--json');
      const rest = await run('replay', '--all');

      assert.deepEqual(JSON.parse(one.stdout), { replayed: 1 });
      assert.equal(rest.stdout, '2 deliveries will be tried again.\n');
      assert.deepEqual(await database.rows('outbox', { state: 'dead' }), []);
    });

    test('an error exits with 1, wrong usage with 2, and a message', async () => {
      await using database = await kind.create();
      const run = (...args: string[]) => runLeads(database.environment, args);
      assert.equal((await run('migrate')).code, 0);

      const [help, unknown, status, time, lead, erase] = await Promise.all([
        run('--help'),
        run('lsit'),
        run('set-status', 'x', 'sold'),
        run('list', '--since', 'yesterday'),
        run('show', 'x'),
        run('erase', sampleLead.email),
      ]);

      assert.equal(help.code, 0);
      assert.match(help.stdout, /^Usage: leads/);
      assert.deepEqual([unknown.code, status.code, time.code, lead.code, erase.code], [2, 2, 2, 1, 2]);
      assert.match(unknown.stderr, /unknown command 'lsit'/);
      assert.match(time.stderr, /^since must be a day such as 2026-11-21.*\n$/);
      assert.equal(lead.stderr, 'There is no lead with this id. Look it up in the list.\n');
      assert.match(erase.stderr, /^Nothing was erased\..*--yes/);
    });
  });
}

test('leads command: an unavailable database is an error without the password', async () => {
  const environment = { DATABASE_URL: 'postgres://user:geheim@127.0.0.1:1/leads', DATA_DIR: '/nowhere' };
  const { code, stderr } = await runLeads(environment, ['list']);
  assert.equal(code, 1);
  assert.match(stderr, /^Cannot use the database at postgres:\/\/127\.0\.0\.1:1\/leads .*\n$/);
  assert.doesNotMatch(stderr, /geheim/);
});

test('leads command: a folder without leads is an error and stays empty', async () => {
  const { code, stderr } = await runLeads({ DATA_DIR: '/nowhere/at/all' }, ['list']);
  assert.equal(code, 1);
  assert.match(stderr, /^There are no leads in \/nowhere\/at\/all yet\./);
});

test('leads command: user text cannot control the terminal or imitate output', async () => {
  await using database = await sqlite.open();
  const name = 'A\u001b[2Jda\u009b31m\u202e';
  const { id } = await storeLead(database, { name, company: 'Lovelace\nStatus: won\u061c' });
  const run = (...args: readonly string[]) => runLeads(database.environment, args);
  const outputs = {
    table: await run('list'),
    list: await run('list', '--json'),
    shown: await run('show', id, '--json'),
    found: await run('search', 'Lovelace', '--json'),
    person: await run('export', '--email', sampleLead.email),
    lines: await run('show', id),
    refused: await run('show', name),
  };
  for (const [what, { stdout, stderr }] of Object.entries(outputs)) {
    // eslint-disable-next-line no-control-regex -- the output must not contain these
    assert.doesNotMatch(stdout + stderr, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u061c]/, what);
  }
  assert.equal(JSON.parse(outputs.list.stdout).leads[0].name, name);
  assert.equal(JSON.parse(outputs.shown.stdout).lead.name, name);
  for (const { stdout } of [outputs.table, outputs.lines]) assert.match(stdout, /A\ufffd\[2Jda/);
  assert.doesNotMatch(outputs.lines.stdout, /^Status: +won/m);
});

function idsOf(json: string): string[] {
  const { leads } = JSON.parse(json) as { leads: { id: string }[] };
  return leads.map(({ id }) => id);
}
