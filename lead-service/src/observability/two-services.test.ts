import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import { test } from 'node:test';
import { hostService, type HostedService } from '../testing/hosted-service.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { createSqlite } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';

const headers = { 'content-type': 'application/json' };

async function send({ url }: HostedService, fields: object): Promise<void> {
  const body = JSON.stringify({ ...sampleLead, ...fields });
  await (await fetch(`${url}/api/demo`, { method: 'POST', headers, body })).text();
}

/** Values of the counters of events, by name and labels. */
async function counts(service: HostedService): Promise<Record<string, number>> {
  const url = /http:\S+/.exec(await service.line('metrics on'))?.[0] ?? assert.fail();
  const metrics = await (await fetch(url)).text();
  const counters =
    /^((?:leads_accepted_total|requests_refused_total|lead_commit_group_size_sum|delivery_attempt_seconds_count).*) (\d+)$/gm;
  return Object.fromEntries(
    [...metrics.matchAll(counters)].map(([, name = '', value]) => [name, Number(value)]),
  );
}

test('metrics: two services in one process count only their own events', async () => {
  await using one = await createSqlite();
  await using another = await createSqlite();
  await using busy = await hostService({ ...one.environment, METRICS_PORT: '0' });
  await using quiet = await hostService({ ...another.environment, METRICS_PORT: '0', DELIVERY: 'off' });

  await Promise.all([
    send(busy, { name: 'Ada' }),
    send(busy, { name: 'Grace' }),
    send(busy, { email: 'none' }),
    send(quiet, { name: 'Ada' }),
  ]);

  const sent = 'delivery_attempt_seconds_count{kind="sales-mail",outcome="delivered"}';
  await until(
    async () => (await counts(busy))[sent],
    (value) => value === 2,
  );
  assert.deepEqual(await counts(busy), {
    'leads_accepted_total{type="demo",result="stored"}': 2,
    'requests_refused_total{cause="invalid-lead"}': 1,
    'lead_commit_group_size_sum{place="database"}': 2,
    [sent]: 2,
    'delivery_attempt_seconds_count{kind="confirmation-mail",outcome="skipped"}': 2,
  });
  assert.deepEqual(await counts(quiet), {
    'leads_accepted_total{type="demo",result="stored"}': 1,
    'lead_commit_group_size_sum{place="database"}': 1,
  });
});

test('metrics: a stopped service leaves no subscriber', async () => {
  await using database = await createSqlite();
  const service = await hostService(database.environment);
  const channels = ['submission', 'refusal', 'commit', 'delivery-attempt'].map((name) =>
    channel(`lead-service:${name}`),
  );
  assert.ok(channels.every(({ hasSubscribers }) => hasSubscribers));
  await service.stop();
  assert.ok(channels.every(({ hasSubscribers }) => !hasSubscribers));
});
