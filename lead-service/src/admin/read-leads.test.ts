import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storeLead } from '../testing/store-lead.ts';
import { onEachDatabase } from '../testing/test-databases.ts';
import { parseLeadFilter } from './lead-filter.ts';
import { listLeads, readAllLeads } from './read-leads.ts';

const filter = parseLeadFilter({});

onEachDatabase('reading leads', (test) => {
  test('a search finds addresses, ids and text in any case and alphabet, without wildcards', async (database) => {
    const ozlem = await storeLead(database, { name: 'Özlem İnce', email: 'oz@example.com' });
    const ivan = await storeLead(database, { company: 'ИВАНОВ', email: 'fay@xn--bcher-kva.de' });
    const found = async (text: string) =>
      (await listLeads(database.admin, { filter, text, limit: 9 })).leads.map(({ id }) => id);
    for (const [text, id] of [
      ['özlem', ozlem.id],
      ['o\u0308zlem', ozlem.id],
      ['иванов', ivan.id],
      ['FAY@BÜCHER.de', ivan.id],
      [ozlem.id.toUpperCase(), ozlem.id],
    ] as const) {
      assert.deepEqual(await found(text), [id], text);
    }
    assert.deepEqual(await found('%'), []);
  });

  test('pages continue after the last lead; an export ends at leads of its beginning', async (database) => {
    const stored: string[] = [];
    for (let index = 0; index < 3; index += 1) stored.push((await storeLead(database)).id);
    const first = await listLeads(database.admin, { filter, limit: 2 });
    assert.deepEqual([first.leads.length, first.next], [2, stored[1]]);
    const rest = await listLeads(database.admin, { filter, limit: 2, after: first.next });
    assert.deepEqual([rest.leads.map(({ id }) => id), rest.next], [[stored[0]], undefined]);

    const exported: string[] = [];
    for await (const { id } of readAllLeads(database.admin, filter)) {
      exported.push(id);
      if (exported.length === 1) await storeLead(database);
    }
    assert.deepEqual(exported, stored);
  });
});

test('lead filter: a day or time that does not exist is refused', () => {
  for (const since of ['2026-02-31', '2025-02-29', '2026-11-31', '2026-02-30T09:30Z', '2026-11-21T25:00Z']) {
    assert.throws(() => parseLeadFilter({ since }), /since must be a day such as 2026-11-21/, since);
  }
  assert.equal(parseLeadFilter({ since: '2024-02-29T01:30+02:00' }).since, '2024-02-28T23:30:00.000Z');
});
