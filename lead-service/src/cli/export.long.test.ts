import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { sampleLead } from '../testing/sample-lead.ts';
import { runLeads } from '../testing/service-process.ts';
import { suspicious, storeLead } from '../testing/store-lead.ts';
import { databaseKinds, type OpenedDatabase } from '../testing/test-databases.ts';

const many = 4_000;
const messageLength = 12_000;

for (const kind of databaseKinds) {
  describe(`leads export on ${kind.name}`, kind.options, () => {
    test('48 MB of leads need 64 MB of memory, and a closed pipe is no error', async () => {
      await using database = await kind.open();
      await fill(database);
      const file = join(database.dataDirectory, 'out.csv');

      const { code, stderr } = await runLeads(database.environment, ['export', '--output', file], {
        nodeOptions: ['--max-old-space-size=64'],
      });

      assert.deepEqual([code, stderr.split('\n').at(-2)], [0, `${many} leads exported to ${file}.`]);
      const lines = readFileSync(file, 'utf8').trimEnd().split('\r\n');
      assert.equal(lines.length, many + 1);
      assert.equal(new Set(lines).size, many + 1);
      assert.equal(statSync(file).mode & 0o777, 0o600);

      using reader = spawn(
        process.execPath,
        [join(import.meta.dirname, 'main.ts'), 'export', '--format', 'jsonl'],
        { env: { ...database.environment }, stdio: ['ignore', 'pipe', 'pipe'] },
      );
      let errors = '';
      reader.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
      await once(reader.stdout, 'data');
      reader.stdout.destroy();
      assert.deepEqual(await once(reader, 'close'), [0, null]);
      assert.doesNotMatch(errors, /mistake|EPIPE/);
    });

    test('an export contains the leads of the filter, as CSV or JSON lines', async () => {
      await using database = await kind.open();
      const lead = await storeLead(database, { status: 'won' });
      const held = await storeLead(database, { type: 'demo', classification: suspicious });
      await storeLead(database, { receivedAt: '2020-01-01T00:00:00.000Z' });
      const run = (...args: string[]) => runLeads(database.environment, ['export', ...args]);

      const [won, recent, spam, person] = await Promise.all([
        run('--status', 'won'),
        run('--since', '2021-01-01', '--format', 'jsonl'),
        run('--quarantine', 'only', '--type', 'demo', '--format', 'jsonl'),
        run('--email', 'nobody'),
      ]);

      assert.match(won.stdout, /^"id","receivedAt",/);
      assert.match(won.stdout, new RegExp(`\r\n"${lead.id}"`));
      assert.equal(won.stdout.trimEnd().split('\r\n').length, 2);
      assert.deepEqual([JSON.parse(recent.stdout).id, JSON.parse(spam.stdout).id], [lead.id, held.id]);
      assert.equal(person.code, 2);
      const entries = (await database.rows('auditEntries')).filter(
        ({ action }) => action !== 'lead.export-page',
      );
      const counts = entries.map(({ action, details }) => `${action} ${JSON.parse(details).count}`);
      assert.deepEqual(counts, ['lead.export 1', 'lead.export 1', 'lead.export 1']);
    });

    test('a failed export leaves no partial file and keeps the old one', async () => {
      await using database = await kind.open();
      await storeLead(database);
      const folder = join(database.dataDirectory, 'missing', 'out.csv');
      const { code, stderr } = await runLeads(database.environment, ['export', '--output', folder]);
      assert.equal(code, 1);
      assert.equal(stderr, `Cannot write to ${folder} (ENOENT). Choose another file.\n`);

      const file = join(database.dataDirectory, 'old.csv');
      writeFileSync(file, 'old');
      assert.equal((await runLeads(database.environment, ['export', '--output', file])).code, 0);
      assert.match(readFileSync(file, 'utf8'), new RegExp(sampleLead.email));
    });
  });
}

/** Inserts leads with ids that sort by time, in one statement for both databases. */
async function fill({ db, access }: OpenedDatabase): Promise<void> {
  const { id } = await storeLead({ db, access });
  const text = 'm'.repeat(messageLength);
  await sql`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(many - 1)})
    insert into leads (id, type, name, email, message, received_at, search_text, status, attribution, spam_reasons, spam_score)
    select ${sql.lit(id.slice(0, -6))} || substr('00000' || n, length('00000' || n) - 5),
      'contact', 'Ada Lovelace', 'ada@example.com', ${sql.lit(text)}, '2026-11-21T00:00:00.000Z',
      '', 'new', '{}', '[]', 0
    from numbers
  `.execute(db);
}
