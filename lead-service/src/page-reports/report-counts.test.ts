import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { honeypotField } from '@countersign/contracts/lead';
import { hostService, makeToken, withTokens } from '../testing/hosted-service.ts';
import { statusOfLead } from '../testing/send-lead.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { databaseKinds } from '../testing/test-databases.ts';
import { createLivePageFile } from '../testing/live-page-file.ts';
import { pageReportsQuery, readPageReports } from './read-page-reports.ts';
import { openReportCounts } from './report-counts.ts';

const part = { part: 'mf-pricing', version: '1.1.0', group: 'canary' } as const;
const releaseId = 'r-0123456789ab';
const at = Date.parse('2026-11-24T09:59:59.999Z');
const version = { ...part, releaseId };
const query = (parameters: object) => pageReportsQuery.parse({ since: '2026-11-20', ...parameters });

for (const kind of databaseKinds) {
  describe(`page reports on ${kind.name}`, kind.options, () => {
    test('instances add to the same counts, by ten minutes and by day', async () => {
      await using database = await kind.open();
      let time = at;
      const [one, other] = [1, 2].map(() => openReportCounts(database.db, createMemoryLog(), () => time));
      one?.add(version, 'views', 2);
      one?.add(version, 'failures.load', 1);
      other?.add(version, 'views', 3);
      time += 1;
      other?.add(version, 'views', 5);
      await Promise.all([one?.stop(), other?.stop()]);

      const reports = (beganAt: string, counts: object) => ({ ...version, beganAt, counts });
      assert.deepEqual(await readPageReports(database.db, query({})), {
        reports: [
          reports('2026-11-24T09:50:00.000Z', { views: 5, 'failures.load': 1 }),
          reports('2026-11-24T10:00:00.000Z', { views: 5 }),
        ],
      });
      assert.deepEqual(await readPageReports(database.db, query({ since: '2026-11-24T10:00:00Z' })), {
        reports: [reports('2026-11-24T10:00:00.000Z', { views: 5 })],
      });
      assert.deepEqual(
        await readPageReports(database.db, query({ period: 'day', until: '2026-11-24T10:00:00Z' })),
        { reports: [reports('2026-11-24T00:00:00.000Z', { views: 5, 'failures.load': 1 })] },
      );
    });

    test('counts that the database refuses are written later, once', async () => {
      await using database = await kind.open();
      const log = createMemoryLog();
      const counts = openReportCounts(database.db, log);
      counts.add(version, 'views', 1);
      await database.execute('alter table page_reports rename to hidden');
      await counts.stop();
      assert.match(log.lines.join('\n'), /could not store counts of page reports, will retry/);
      await database.execute('alter table hidden rename to page_reports');
      counts.add(version, 'views', 2);
      await counts.stop();
      await counts.stop();
      const { reports } = await readPageReports(database.db, query({}));
      assert.deepEqual(
        reports.map(({ counts: { views } }) => views),
        [3],
      );
    });

    test('beyond the limit the oldest rows are dropped, also after a write that failed', async () => {
      await using database = await kind.open();
      const counts = openReportCounts(database.db, createMemoryLog(), () => at, 2);
      for (const measure of ['first', 'second', 'second']) counts.add(version, measure, 1);
      await counts.stop();
      counts.add(version, 'older', 1);
      await database.execute('alter table page_reports rename to hidden');
      const writing = counts.stop();
      // Now the write has taken its rows.
      await setImmediate();
      counts.add(version, 'newer', 1);
      await writing;
      counts.add(version, 'newest', 1);
      await database.execute('alter table hidden rename to page_reports');
      await counts.stop();
      const { reports } = await readPageReports(database.db, query({}));
      assert.deepEqual(reports[0]?.counts, { first: 1, second: 2, newer: 1, newest: 1 });
    });

    test('leads count for the versions that their senders saw: one per network, and none that looks like spam', async () => {
      await using database = await kind.open();
      const page = await createLivePageFile(database.dataDirectory, {
        'mf-pricing': { live: '1.0.0', canary: '1.1.0' },
      });
      await using service = await hostService(database, { LIVE_PAGE: page.path, TRUSTED_PROXY_HOPS: '1' });
      const attribution = { releaseId, parts: [part, { ...part, version: '9.9.9' }] };
      const send = (network: number, fields: object = {}) =>
        statusOfLead(
          service,
          { message: crypto.randomUUID(), attribution, ...fields },
          { headers: { 'x-forwarded-for': `10.0.${network}.1` } },
        );
      const statuses = [await send(1), await send(1), await send(2), await send(3, { [honeypotField]: 'x' })];
      assert.deepEqual(statuses, [201, 201, 201, 201]);
      await service.stop();
      const { reports } = await readPageReports(database.db, query({}));
      assert.deepEqual(
        reports.map(({ version: name, group, counts }) => [name, group, counts]),
        [['1.1.0', 'canary', { leads: 2 }]],
      );
    });

    test('reports of visitors are read with the scope `reports`, also after a restart', async () => {
      await using database = await kind.open();
      const page = await createLivePageFile(database.dataDirectory, {
        'mf-pricing': { live: '1.0.0', canary: '1.1.0' },
      });
      const environment = { LIVE_PAGE: page.path };
      await using service = await hostService(database, environment);
      const sent = await service.post('/api/telemetry', {
        releaseId,
        parts: [
          { ...part, outcome: 'loaded', milliseconds: 350 },
          { ...part, outcome: 'late' },
          { ...part, outcome: 'failed', cause: 'render' },
          { ...part, version: '9.9.9', outcome: 'loaded' },
        ],
        vitals: [{ name: 'LCP', value: 1_800 }],
      });
      assert.equal(sent.status, 204);
      await service.stop();

      const [reader, sales] = [makeToken('release', ['reports']), makeToken('ada', ['read'])];
      await using admin = await hostService(database, { ...withTokens(reader, sales), ...environment });
      const read = (token: typeof reader, parameters = '') =>
        admin.call(token, 'GET', `/admin/api/page-reports${parameters}`);
      const { reports } = (await (await read(reader)).json()) as Awaited<ReturnType<typeof readPageReports>>;
      assert.deepEqual(
        reports.map(({ version: name, group, releaseId: release, counts }) => [name, group, release, counts]),
        [
          [
            '1.1.0',
            'canary',
            releaseId,
            {
              'failures.render': 1,
              failuresNetworks: 1,
              late: 1,
              lateNetworks: 1,
              'loads.0.5': 1,
              views: 1,
            },
          ],
          ['other', 'canary', releaseId, { views: 1 }],
          [releaseId, 'stable', releaseId, { 'LCP.1.8': 1 }],
        ],
      );
      assert.equal((await read(sales)).status, 403);
      const refused = await read(reader, '?period=week');
      assert.equal(refused.status, 422);
      assert.match(await refused.text(), /period must be ten-minutes, day\./);
    });
  });
}
