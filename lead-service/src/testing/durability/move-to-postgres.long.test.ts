import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { erasePerson } from '../../lead-admin/erase-person.ts';
import { startDatabaseProxy } from '../database-proxy.ts';
import { hostService } from '../hosted-service.ts';
import { statusOfLead } from '../send-lead.ts';
import { startLeads, startService } from '../service-process.ts';
import { startSmtpReceiver } from '../smtp-receiver.ts';
import { postgres, sqlite } from '../test-databases.ts';
import { until } from '../until.ts';
import { startWebhookReceiver, webhookSecret } from '../webhook-receiver.ts';
import { PersistentSenders } from './persistent-senders.ts';

/** More than one transaction copies. */
const count = 600;
const at = '2026-11-21T12:58:34.802Z';
const senders = 3;

/** Rows of every table that has transactions of its own. */
const manyRows = `
  with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into leads (id, type, name, email, message, received_at)
    select printf('0000-%05d', n), 'demo', 'Many', 'many' || n || '@example.com', 'Old lead ' || n, '${at}' from numbers;
  insert into outbox (id, lead_id, kind, target, state, attempts, next_attempt_at, created_at)
    select 'o' || id, id, 'sales-mail', '', 'done', 1, '${at}', '${at}' from leads;
  insert into audit_entries (id, at, actor, action, lead_id, details) values ('a', '${at}', 'ada', 'lead.list', null, '{}');
  insert into audited_leads (lead_id, entry_id) values ('0000-00001', 'a');
  insert into erasures (address_hash, erased_at) values ('hash', '${at}');
  insert into idempotency_records (key, fingerprint, lead_id, answer_status, created_at, expires_at)
    values ('key:old', 'print', '0000-00001', 201, '${at}', '9999-01-01T00:00:00.000Z');
  insert into page_reports (began_at, release_id, part, version, visitors, measure, count)
    values ('${at}', 'r-1', 'page', '1', 'stable', 'views', 7)`;

/** Statements of the transactions whose commit the test interrupts. */
const first = 'json_populate_recordset(null::"idempotency_records"';
const batch = 'update "moves" set';

describe('move to PostgreSQL', { ...postgres.options, concurrency: true }, () => {
  test('every row arrives once although the command is killed at every commit', async (t) => {
    await using from = await sqlite.open();
    await using to = await postgres.open();
    await using proxy = await startDatabaseProxy(to.environment['DATABASE_URL'] ?? '');
    await from.rows('leads');
    await from.execute(manyRows);
    await from.close();
    await using service = await hostService(to);
    const sent: string[] = [];
    const command = () =>
      startLeads({ DATA_DIR: from.dataDirectory, DATABASE_URL: proxy.url }, ['move-to-postgres']);

    let kills = 0;
    async function killAt(when: 'before' | 'after', statement: string): Promise<boolean> {
      await using move = command();
      const cut = proxy.cut(when, statement, 'commit').then(() => true);
      const wasCut = await Promise.race([cut, move.result.then(() => false)]);
      if (wasCut) kills += 1;
      await move.crash();
      const message = `New lead ${sent.length}`;
      assert.equal(await statusOfLead(service, { message }), 201);
      sent.push(message);
      return wasCut;
    }
    assert.ok(await killAt('before', first));
    assert.ok(await killAt('after', first));
    assert.ok(await killAt('before', batch));
    assert.ok(await killAt('after', batch));
    // The one is in PostgreSQL already, the other is not.
    await erasePerson(to.admin, `many${count}@example.com`);
    await erasePerson(to.admin, `many1@example.com`);
    while (await killAt('after', batch)) assert.ok(kills < 20);
    // The last kill was after the commit of the end, and before the file was renamed.
    await using rest = command();
    const { stderr } = await rest.result;
    assert.match(stderr, /^Nothing is left to move/m);

    t.diagnostic(`${kills} kills`);
    const leads = await to.leads();
    const texts = leads.map(({ message }) => message);
    const old = Array.from({ length: count - 2 }, (_, index) => `Old lead ${index + 2}`);
    assert.deepEqual(texts.toSorted(), [...old, '', '', ...sent].toSorted());
    assert.equal(leads.filter(({ erasedAt }) => erasedAt !== null).length, 2);
    assert.equal((await to.rows('outbox')).length, count + 2 * sent.length);
    assert.deepEqual(
      (await to.rows('pageReports')).map(({ count: views }) => views),
      [7],
    );
  });

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    test(`every acknowledged lead is stored once and delivered after a restart by ${signal}`, async () => {
      await using from = await sqlite.create();
      await using to = await postgres.open();
      await using smtp = await startSmtpReceiver();
      await using receiver = await startWebhookReceiver();
      const onSqlite = {
        ...from.environment,
        ...{ SMTP_URL: smtp.url, MAIL_FROM: 'site@example.org', SALES_ADDRESS: 'sales@example.org' },
        ...{ WEBHOOKS: `crm=${receiver.url}`, WEBHOOK_SECRETS_CRM: webhookSecret },
        ...{ WEBHOOK_ALLOW_PRIVATE: 'true', DELIVERY_LEASE_SECONDS: '3' },
        ...{ LEADS_PER_ADDRESS: '0', LEADS_PER_NETWORK: '0' },
      };
      const onPostgres = { ...to.environment, ...onSqlite };
      const clients = new PersistentSenders();
      await using proxy = await startDatabaseProxy(to.environment['DATABASE_URL'] ?? '');

      await using old = startService(onSqlite);
      const url = await old.url();
      await from.execute(`insert into suppressed_addresses values ('hash', 'by hand', '${at}')`);
      const sending = clients.sendUntilGone(url, senders);
      await until(() => clients.acknowledged.size > 5 * senders);
      await using move = startLeads({ ...onPostgres, DATABASE_URL: proxy.url }, [
        'move-to-postgres',
        '--json',
      ]);
      void proxy.cut('after', batch, 'commit').then(() => proxy.cut('after', 'set "finished_at"', 'commit'));
      let written = '';
      move.child.stderr?.on('data', (data: Buffer) => (written += data.toString()));
      await until(() => written.includes('Waiting for the service on SQLite to stop'));
      // The new service must know them from its first lead on.
      assert.equal((await to.rows('suppressedAddresses')).length, 1);
      old.child.kill(signal);
      await Promise.all([old.exit, sending]);
      await using current = startService(onPostgres);
      await clients.sendRest(await current.url());
      const { code, stderr, stdout } = await move.result;
      assert.equal(code, 0, stderr);
      assert.equal(stderr.match(/does not answer now \(.*\)\. Trying again/g)?.length, 2);

      assert.deepEqual(clients.refusals, []);
      const leads = await to.leads();
      assert.deepEqual(leads.map(({ message }) => message).toSorted(), [...clients.acknowledged].toSorted());
      assert.ok(JSON.parse(stdout).moved.leads > 5 * senders);
      const outbox = await until(
        () => to.rows('outbox'),
        (rows) => rows.every(({ state }) => state !== 'pending'),
      );
      assert.equal(outbox.length, 3 * leads.length);
      const arrived = [
        ...receiver.received.map(({ id }) => id),
        ...smtp.mails.map(({ mail }) => mail.messageId ?? ''),
      ].join(' ');
      const due = outbox.filter(({ kind }) => kind !== 'confirmation-mail');
      assert.deepEqual(
        due.filter(({ id }) => !arrived.includes(id)),
        [],
      );

      current.child.kill('SIGTERM');
      await current.exit;
      await using late = startService(onSqlite);
      assert.equal((await late.exit).code, 1);
      assert.match(late.stderr.join(), /were moved to postgres:.* Set DATABASE_URL to that database\.$/);
    });
  }
});
