import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { sampleLead } from '../testing/sample-lead.ts';
import { runLeads } from '../testing/service-process.ts';
import { storeLead } from '../testing/store-lead.ts';
import { databaseKinds, type OpenedDatabase } from '../testing/test-databases.ts';

const many = 11_000;

for (const kind of databaseKinds) {
  test(`export and erasure of a person cover ${many} leads, on ${kind.name}`, kind.options, async () => {
    await using database = await kind.open();
    await fill(database);
    const other = await storeLead(database, { name: 'Charles Example', email: 'charles@example.com' });

    const held = await runLeads(database.environment, ['export', '--email', sampleLead.email]);
    const { leads, deliveries, attempts } = JSON.parse(held.stdout);
    const erased = await runLeads(database.environment, ['erase', sampleLead.email, '--yes']);

    assert.deepEqual([held.code, leads.length, deliveries.length, attempts.length], [0, many, many, many]);
    assert.deepEqual([erased.code, erased.stdout], [0, `${many} leads erased.\n`]);
    const named = await database.db.selectFrom('leads').select('id').where('name', '!=', '').execute();
    assert.deepEqual(named, [{ id: other.id }]);
    const answers = await database.db.selectFrom('deliveryAttempts').select('answer').distinct().execute();
    assert.deepEqual(answers, [{ answer: '' }]);
    for (const action of ['lead.export', 'lead.erase']) {
      const entries = await database.rows('auditEntries', { action });
      assert.equal(new Set(entries.map(({ leadId }) => leadId)).size, many);
    }
  });
}

async function fill({ db }: OpenedDatabase): Promise<void> {
  const now = sql.lit('2026-11-21T00:00:00.000Z');
  await sql`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(many)})
    insert into leads (id, type, name, email, message, received_at, search_text, status, attribution, spam_reasons, spam_score)
    select 'l' || n, 'contact', ${sql.lit(sampleLead.name)}, ${sql.lit(sampleLead.email)}, 'Hello.', ${now},
      '', 'new', '{}', '[]', 0 from numbers
  `.execute(db);
  await sql`
    insert into outbox (id, lead_id, kind, target, state, attempts, next_attempt_at, created_at)
    select 'o' || id, id, 'sales-mail', '', 'done', 1, ${now}, ${now} from leads
  `.execute(db);
  await sql`
    insert into delivery_attempts (id, outbox_id, number, started_at, latency_ms, outcome, answer)
    select 'a' || id, id, 1, ${now}, 1, 'delivered', '250 OK' from outbox
  `.execute(db);
}
