import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { EnvironmentReader } from '@countersign/environment/environment-reader';
import { hostService } from '../testing/hosted-service.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { runLeads } from '../testing/service-process.ts';
import { suspicious, storeLead } from '../testing/store-lead.ts';
import { databaseKinds } from '../testing/test-databases.ts';
import { until, untilEqual, untilLength } from '../testing/until.ts';
import { removeExpired } from './remove-expired.ts';
import { readRetention } from './retention-config.ts';
import { applyRetention } from './apply-retention.ts';
import { createRetentionJob, retentionActor } from './retention-job.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000).toISOString();
const limited = { days: { trial: 0, demo: 10, contact: 100 }, quarantineDays: 30, pageReportDays: 1 };

const hasty = { first: 0, interval: 10 };

const fiveHundred = `with recursive counted (n) as (
    select 1 union all select n + 1 from counted where n < 500
  ), numbers (i) as (select cast(n as text) from counted)`;

for (const kind of databaseKinds) {
  describe(`retention on ${kind.name}`, kind.options, () => {
    test('each type is erased after its limit, quarantined leads after the shorter one', async () => {
      await using database = await kind.open();
      const stays = [
        await storeLead(database, { type: 'trial', receivedAt: daysAgo(9_000) }),
        await storeLead(database, { type: 'demo', receivedAt: daysAgo(9) }),
        await storeLead(database, { type: 'contact', receivedAt: daysAgo(99) }),
        await storeLead(database, { type: 'contact', receivedAt: daysAgo(29), classification: suspicious }),
      ];
      const goes = [
        await storeLead(database, { type: 'demo', receivedAt: daysAgo(11) }),
        await storeLead(database, { type: 'contact', receivedAt: daysAgo(101) }),
        await storeLead(database, { type: 'trial', receivedAt: daysAgo(31), classification: suspicious }),
        await storeLead(database, { type: 'demo', receivedAt: daysAgo(11), classification: suspicious }),
      ];
      const environment = {
        ...database.environment,
        ...{ RETENTION_DAYS_DEMO: '10', RETENTION_DAYS_CONTACT: '100' },
      };

      const { code, stdout } = await runLeads(environment, ['prune', '--json']);

      assert.deepEqual([code, JSON.parse(stdout).leads], [0, goes.length]);
      const kept = (await database.leads()).filter(({ erasedAt }) => erasedAt === null);
      assert.deepEqual(kept, stays);
      // Retention records no erasure, because the person may have a newer lead in a spool.
      assert.deepEqual(await database.rows('erasures'), []);
    });

    test('of two concurrent runs, one erases each lead', async () => {
      await using database = await kind.open();
      for (let index = 0; index < 30; index += 1) await storeLead(database, { receivedAt: daysAgo(101) });

      const environment = { ...database.environment, RETENTION_DAYS_CONTACT: '100' };
      const swept = await Promise.all([1, 2].map(() => runLeads(environment, ['prune', '--json'])));

      const counts = swept.map(({ stdout }) => Number(JSON.parse(stdout).leads));
      assert.equal(
        counts.reduce((sum, leads) => sum + leads, 0),
        30,
      );
      const entries = await database.rows('auditEntries');
      assert.equal(new Set(entries.map(({ leadId }) => leadId)).size, 30);
      assert.equal(entries.length, 30);
    });

    test('expired rows and orphans of erased leads are removed', async () => {
      await using database = await kind.open();
      const lead = await storeLead(database, { erasedAt: daysAgo(1), name: '', email: '', message: '' });
      const [late] = await database.rows('outbox');
      const outboxId = late?.id ?? assert.fail();
      await database.insert('deliveryAttempts', {
        ...{ id: 'a', outboxId, number: 1, startedAt: lead.receivedAt, latencyMs: 1 },
        ...{ outcome: 'failed', status: null, answer: 'no such user' },
      });
      const mails = join(database.dataDirectory, 'mails');
      mkdirSync(mails);
      writeFileSync(join(mails, `${outboxId}.eml`), '');
      await database.update('idempotencyRecords', { expiresAt: daysAgo(1) });
      const counted = { releaseId: 'other', part: 'mf-leads', version: '1', measure: 'views', count: 1 };
      for (const beganAt of [daysAgo(2), daysAgo(0)]) {
        await database.insert('pageReports', { ...counted, visitors: 'stable', beganAt });
      }

      const swept = await applyRetention(database.admin, limited);

      assert.deepEqual(swept, { leads: 0, expired: 2 });
      assert.deepEqual(readdirSync(mails), []);
      assert.deepEqual(
        (await database.rows('deliveryAttempts')).map(({ answer }) => answer),
        [''],
      );
    });

    test('an aborted run stops between two batches, and the next run continues', async () => {
      await using database = await kind.open();
      for (let index = 0; index < 150; index += 1) await storeLead(database, { receivedAt: daysAgo(101) });
      const stopping = new AbortController();

      const broken = applyRetention(database.admin, limited, {
        erased: () => stopping.abort(),
        signal: stopping.signal,
      });
      await assert.rejects(broken, { name: 'AbortError' });
      const rest = await applyRetention(database.admin, limited);

      assert.ok(rest.leads > 0 && rest.leads < 150);
      assert.ok((await database.leads()).every(({ erasedAt }) => erasedAt !== null));
    });

    test('the removal of many expired rows does not block other work', async () => {
      await using database = await kind.open();
      await database.execute(
        `${fiveHundred} insert into idempotency_records
          (key, fingerprint, lead_id, answer_status, created_at, expires_at)
          select i, '', i, 201, '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z' from numbers`,
      );
      await database.execute(
        `${fiveHundred} insert into page_reports (began_at, release_id, part, version, visitors, measure, count)
          select '2026-01-01T00:00:00.000Z', 'other', 'mf-leads', i, 'stable', 'views', 1 from numbers`,
      );
      let turns = 0;
      let turn = setImmediate(function next() {
        turns += 1;
        turn = setImmediate(next);
      });

      const expired = await removeExpired(database, { pageReportDays: 1 }, new Date());

      clearImmediate(turn);
      assert.equal(expired, 1_000);
      assert.ok(turns >= 3);
    });

    test('a clock jump of more than a day pauses the job until --clock-is-right', async () => {
      await using database = await kind.open();
      const log = createMemoryLog();
      await storeLead(database, { receivedAt: daysAgo(101) });
      await database.insert('jobRuns', { job: 'retention', ranAt: daysAgo(31) });
      const environment = { ...database.environment, RETENTION_DAYS_CONTACT: '100' };
      const kept = async () => (await database.leads()).filter(({ name }) => name !== '').length;
      const question = /retention job last ran at .* Nothing is erased, because the clock may be wrong\. /;
      const retentionJob = createRetentionJob(database.admin, limited, log, hasty);
      retentionJob.start();
      await untilLength(() => log.lines.filter((line) => question.test(line)), 3);
      assert.match(retentionJob.pauseReason ?? '', question);

      const doubting = await runLeads(environment, ['prune']);
      assert.equal(doubting.code, 1);
      assert.match(doubting.stderr, question);
      assert.equal(await kept(), 1);
      const sure = await runLeads(environment, ['prune', '--clock-is-right', '--json']);
      assert.equal(JSON.parse(sure.stdout).leads, 1);

      await untilEqual(() => retentionJob.pauseReason, undefined);
      await storeLead(database, { receivedAt: daysAgo(101) });
      await untilEqual(kept, 0);
      await retentionJob.stop();
      assert.notEqual((await database.rows('auditEntries', { actor: retentionActor })).length, 0);
    });

    test('readiness and metrics report a paused job', async () => {
      await using database = await kind.open();
      await database.insert('jobRuns', { job: 'retention', ranAt: daysAgo(2) });
      await using service = await hostService(database, { RETENTION_DAYS_DEMO: '10' });
      await service.line('the retention job last ran');
      const answer = await fetch(`${service.url}/readyz`);
      assert.equal(answer.status, 200);
      assert.match(await answer.text(), /"degraded".*run \\"leads prune --clock-is-right\\"/);
      assert.match(await service.metrics(), /^retention_waits 1$/m);
    });

    test('an erasure by a fast clock does not drop later leads', async () => {
      await using database = await kind.open();
      await database.insert('erasures', { addressHash: 'h', erasedAt: daysAgo(-31) });
      const retentionJob = createRetentionJob(database.admin, limited, createMemoryLog(), hasty);
      const begun = daysAgo(0);
      retentionJob.start();
      const erasedAt = async () =>
        (await database.db.selectFrom('erasures').select('erasedAt').executeTakeFirstOrThrow()).erasedAt;
      const corrected = await until(erasedAt, (value) => value <= daysAgo(0));
      await retentionJob.stop();
      assert(corrected >= begun, corrected);
    });
  });
}

test('retention settings: any limit adds 30 days for quarantine', () => {
  const read = (environment: Record<string, string>) => readRetention(new EnvironmentReader(environment));
  assert.deepEqual(read({ RETENTION_DAYS_DEMO: '90' }), {
    days: { trial: 0, demo: 90, contact: 0 },
    quarantineDays: 30,
    pageReportDays: 400,
  });
  assert.equal(read({ RETENTION_DAYS_DEMO: '90', RETENTION_DAYS_QUARANTINE: '7' }).quarantineDays, 7);
});
