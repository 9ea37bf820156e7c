import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import { test } from 'node:test';
import { hostService, type HostedService } from '../testing/hosted-service.ts';
import { statusOfLead } from '../testing/send-lead.ts';
import { sqlite } from '../testing/test-databases.ts';
import { untilEqual } from '../testing/until.ts';

const demo = { type: 'demo' } as const;

/** Values of the counters of events, by name and labels. */
async function counts(service: HostedService): Promise<Record<string, number>> {
  const counters =
    /^((?:leads_accepted_total|requests_refused_total|lead_commit_group_size_sum|delivery_attempt_seconds_count).*) (\d+)$/gm;
  return Object.fromEntries(
    [...(await service.metrics()).matchAll(counters)].map(([, name = '', value]) => [name, Number(value)]),
  );
}

test('metrics: two services in one process count only their own events', async () => {
  await using busy = await hostService(sqlite, { DELIVERY: 'on' });
  await using quiet = await hostService(sqlite);

  await Promise.all([
    statusOfLead(busy, { name: 'Ada' }, demo),
    statusOfLead(busy, { name: 'Grace' }, demo),
    statusOfLead(busy, { email: 'none' }, demo),
    statusOfLead(quiet, { name: 'Ada' }, demo),
  ]);

  const sent = 'delivery_attempt_seconds_count{kind="sales-mail",outcome="delivered"}';
  await untilEqual(async () => (await counts(busy))[sent], 2);
  assert.deepEqual(await counts(busy), {
    'leads_accepted_total{type="demo",result="stored"}': 2,
    'requests_refused_total{cause="invalid-lead"}': 1,
    'lead_commit_group_size_sum{place="database"}': 2,
    [sent]: 2,
  });
  assert.deepEqual(await counts(quiet), {
    'leads_accepted_total{type="demo",result="stored"}': 1,
    'lead_commit_group_size_sum{place="database"}': 1,
  });
});

test('metrics: a stopped service leaves no subscriber', async () => {
  await using service = await hostService(sqlite);
  const channels = ['submission', 'refusal', 'commit', 'delivery-attempt'].map((name) =>
    channel(`lead-service:${name}`),
  );
  assert.ok(channels.every(({ hasSubscribers }) => hasSubscribers));
  await service.stop();
  assert.ok(channels.every(({ hasSubscribers }) => !hasSubscribers));
});
