import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { databaseKinds } from '../testing/test-databases.ts';
import { readStats } from './lead-stats.ts';

/** Leads 1 to 10 are in quarantine, 11 to 20 erased. Every third is a demo, every tenth won. */
const fiveThousandLeads = `with recursive numbers (i) as (
    select 0 union all select i + 1 from numbers where i < 4999
  )
  insert into leads (id, type, status, name, email, message, received_at, quarantined_at, erased_at,
    search_text, attribution, spam_reasons, spam_score)
  select cast(100000 + i as text),
    case when i % 3 = 0 then 'demo' else 'trial' end,
    case when i % 10 = 0 then 'won' else 'new' end,
    '', '', '',
    case when i < 2500 then '2026-11-20T00:00:00.000Z' else '2026-11-21T00:00:00.000Z' end,
    case when i < 10 then '2026-11-21T00:00:00.000Z' end,
    case when i >= 10 and i < 20 then '2026-11-21T00:00:00.000Z' end,
    '', '{}', '[]', 0
  from numbers`;

for (const kind of databaseKinds) {
  describe(`statistics on ${kind.name}`, kind.options, () => {
    test('the count includes every lead once and does not block other work', async () => {
      await using database = await kind.open();
      await database.execute(fiveThousandLeads);
      let turns = 0;
      let turn = setImmediate(function next() {
        turns += 1;
        turn = setImmediate(next);
      });

      const stats = await readStats(database.admin);

      clearImmediate(turn);
      assert.ok(turns >= 2);
      assert.deepEqual(stats, {
        byType: [
          { name: 'demo', count: 1663 },
          { name: 'trial', count: 3327 },
        ],
        byStatus: [
          { name: 'new', count: 4491 },
          { name: 'won', count: 499 },
        ],
        byDay: [
          { name: '2026-11-21', count: 2500 },
          { name: '2026-11-20', count: 2490 },
        ],
        quarantined: 10,
        erased: 10,
        deliveries: [],
        oldestUndelivered: null,
        spooled: 0,
      });
    });
  });
}
