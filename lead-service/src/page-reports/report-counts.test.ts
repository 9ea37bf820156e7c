import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { honeypotField } from '@countersign/contracts/lead';
import { hostServiceOfSite, makeToken, withTokens } from '../testing/hosted-service.ts';
import { statusOfLead } from '../testing/send-lead.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { onEachDatabase } from '../testing/test-databases.ts';
import { readPageReports } from './read-page-reports.ts';
import { openReportCounts } from './report-counts.ts';

const part = { part: 'mf-pricing', version: '1.1.0', group: 'canary' } as const;
const releaseId = 'r-0123456789ab';
/** The last millisecond of a period of ten minutes. */
const at = Date.parse('2026-11-24T09:59:59.999Z');
const version = { ...part, releaseId };
const since = '2026-11-20T00:00:00.000Z';
const none = { views: 0, failed: {}, slow: 0, leads: 0 };

onEachDatabase('page reports', (test) => {
  test('instances add to the same counts, which are read from a time on', async (database) => {
    let time = at;
    const [one, other] = [1, 2].map(() => openReportCounts(database.db, createMemoryLog(), () => time));
    for (const measure of ['views', 'failed.load', 'slow']) one?.add(version, measure);
    for (const measure of ['views', 'leads']) other?.add(version, measure);
    time += 1;
    other?.add(version, 'views');
    await Promise.all([one?.stop(), other?.stop()]);

    const all = { ...version, views: 3, failed: { load: 1 }, slow: 1, leads: 1 };
    assert.deepEqual(await readPageReports(database.db, { since }), { versions: [all] });
    assert.deepEqual(await readPageReports(database.db, { since: '2026-11-24T10:00:00.000Z' }), {
      versions: [{ ...version, ...none, views: 1 }],
    });
  });

  test('counts that the database refuses are written later, once, but the oldest beyond the limit', async (database) => {
    const log = createMemoryLog();
    const counts = openReportCounts(database.db, log, () => at, 2);
    for (const measure of ['views', 'slow', 'slow']) counts.add(version, measure);
    await counts.stop();
    counts.add(version, 'failed.older');
    await database.execute('alter table page_reports rename to hidden');
    const writing = counts.stop();
    // Now the write has taken its rows.
    await setImmediate();
    counts.add(version, 'failed.newer');
    await writing;
    assert.match(log.lines.join('\n'), /could not store counts of page reports; while/);
    // The third row, where two may wait.
    counts.add(version, 'failed.newest');
    await database.execute('alter table hidden rename to page_reports');
    await counts.stop();
    await counts.stop();
    const { versions } = await readPageReports(database.db, { since });
    assert.deepEqual(versions, [
      { ...version, views: 1, slow: 2, failed: { newer: 1, newest: 1 }, leads: 0 },
    ]);
  });

  test('leads count for the versions that their senders saw, unless they look like spam', async (database) => {
    await using service = await hostServiceOfSite({}, database);
    // Reports count unknown versions as `other`, and leads leave them out.
    const attribution = { releaseId, parts: [part, part, { ...part, version: '9.9.9' }] };
    for (const fields of [{}, { [honeypotField]: 'x' }]) {
      const lead = { message: crypto.randomUUID(), attribution, ...fields };
      assert.equal(await statusOfLead(service, lead), 201);
    }
    await service.stop();
    assert.deepEqual(await readPageReports(database.db, { since }), {
      versions: [{ ...version, ...none, leads: 1 }],
    });
  });

  test('reports of visitors are read with the scope `reports`, also after a restart', async (database) => {
    await using service = await hostServiceOfSite({}, database);
    const sent = await service.post('/api/page-reports', {
      releaseId,
      parts: [
        { ...part, measure: 'viewed' },
        { ...part, measure: 'failed', cause: 'render' },
        { ...part, version: '9.9.9', measure: 'viewed' },
      ],
      vitals: [{ name: 'LCP', value: 1_800 }],
    });
    assert.equal(sent.status, 204);
    await service.stop();

    const [reader, sales] = [makeToken('release', ['reports']), makeToken('ada', ['read'])];
    await using admin = await hostServiceOfSite(withTokens(reader, sales), database);
    const read = ({ token }: typeof reader, parameters = '') =>
      fetch(`${admin.adminUrl}/admin/api/page-reports${parameters}`, {
        headers: { authorization: `Bearer ${token}` },
      });
    assert.deepEqual(await (await read(reader)).json(), {
      versions: [
        { ...version, ...none, views: 1, failed: { render: 1 } },
        { ...version, ...none, version: 'other', views: 1 },
      ],
    });
    assert.equal((await read(sales)).status, 403);
    assert.equal((await read(reader, '?since=week')).status, 422);
    assert.doesNotMatch(await (await read(sales, '/')).text(), /<html/);
  });
});
