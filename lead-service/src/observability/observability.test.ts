import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDatabaseProxy } from '../testing/database-proxy.ts';
import { hostService } from '../testing/hosted-service.ts';
import { sendLead } from '../testing/send-lead.ts';
import { startService, type ServiceProcess } from '../testing/service-process.ts';
import { postgres, sqlite, urlOf } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';

function send(url: string, fields: object = {}, headers: Record<string, string> = {}): Promise<Response> {
  return sendLead({ url }, fields, { type: 'demo', headers });
}

function logged({ stdout }: ServiceProcess) {
  return stdout.map((line) => JSON.parse(line) as { readonly msg: string; readonly request?: string });
}

test('metrics: count accepted and refused leads, on a separate port', async () => {
  await using service = await hostService(sqlite, { DELIVERY: 'on' });
  const { url } = service;
  for (const fields of [{}, {}, { email: 'none' }]) await send(url, fields);
  await fetch(`${url}/nothing`);

  const metrics = await until(
    () => service.metrics(),
    (text) => text.includes('delivery_attempt_seconds_count{kind="sales-mail",outcome="delivered"} 1'),
  );
  for (const line of [
    'leads_accepted_total{type="demo",result="stored"} 1',
    'leads_accepted_total{type="demo",result="repeated"} 1',
    'requests_refused_total{cause="invalid-lead"} 1',
    'requests_refused_total{cause="unknown-path"} 1',
    // Also of the repeated lead, which the database recognises in a commit.
    'lead_commit_seconds_count{place="database"} 2',
    'spool_depth 0',
  ]) {
    assert.ok(metrics.includes(`${line}\n`), line);
  }
  assert.match(metrics, /^oldest_undelivered_seconds \d/m);
  assert.match(metrics, /^process_cpu_seconds_total \d/m);
  assert.doesNotMatch(metrics, /Ada|example\.com|127\.0\.0\.1/);
  assert.equal((await fetch(`${url}/metrics`)).status, 404, 'visitors do not get them');
});

test('log: the request id is in the answer and in the log lines', async () => {
  await using database = await sqlite.create();
  await using service = startService({ ...database.environment, LOG_FORMAT: 'json' });
  const url = /http:[^\s,"]+/.exec(await service.line('listening'))?.[0] ?? '';
  const given = await send(url, {}, { 'x-request-id': 'proxy-7f_1' });
  const strange = await send(url, { name: 'Another' }, { 'x-request-id': 'ada@example.com' });
  await Promise.all([given.text(), strange.text()]);

  const made = strange.headers.get('x-request-id') ?? '';
  assert.equal(given.headers.get('x-request-id'), 'proxy-7f_1');
  assert.match(made, /^[\da-f-]{36}$/);
  await until(
    () => logged(service),
    (lines) => lines.filter(({ msg }) => msg === 'lead stored').length === 2,
  );
  const stored = logged(service).filter(({ msg }) => msg === 'lead stored');
  const requests = stored.map(({ request }) => request);
  assert.deepEqual(requests, ['proxy-7f_1', made]);
  assert.equal(logged(service)[0]?.request, undefined, 'what no request has caused names none');
  assert.doesNotMatch(service.stdout.join('\n'), /example\.com|Ada/);
});

test('readiness: ends with the stop signal', async () => {
  await using database = await sqlite.create();
  await using service = startService({ ...database.environment, STOP_DELAY_SECONDS: '60' });
  const url = await service.url();
  const ready = await fetch(`${url}/readyz`);
  assert.deepEqual([ready.status, await ready.json()], [200, { status: 'ready', reasons: [] }]);

  service.child.kill('SIGTERM');
  await service.line('stopping');
  await until(async () => (await fetch(`${url}/readyz`)).status === 503);
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  assert.equal((await send(url)).status, 201, 'leads are still taken until the stop delay ends');
});

test('readiness: a lead that a lock has refused keeps no later one away', async () => {
  await using service = await hostService(sqlite);
  assert.equal((await service.database.whileLocked(() => send(service.url))).status, 503);
  const ready = await fetch(`${service.url}/readyz`);
  assert.deepEqual([ready.status, await ready.json()], [200, { status: 'ready', reasons: [] }]);
});

test(
  'metrics: an outage of PostgreSQL sets database_up, and the backlog ages',
  postgres.options,
  async () => {
    await using database = await postgres.open();
    await using proxy = await startDatabaseProxy(urlOf(database));
    await using service = await hostService(database, { DATABASE_URL: proxy.url });
    async function gauge(name: string): Promise<number> {
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await service.metrics())?.[1]);
    }

    // Its mail stays undelivered, because `hostService` turns deliveries off.
    await send(service.url);
    assert.equal(await gauge('database_up'), 1);
    const before = await gauge('oldest_undelivered_seconds');

    proxy.setMode('refusing');
    await until(async () => (await gauge('database_up')) === 0);
    const duringOutage = await gauge('oldest_undelivered_seconds');
    assert.ok(duringOutage > before);
    await until(
      () => gauge('oldest_undelivered_seconds'),
      (age) => age > duringOutage,
    );
    const readiness = await (await fetch(`${service.url}/readyz`)).json();
    assert.deepEqual(readiness, { status: 'degraded', reasons: ['The database does not answer.'] });
  },
);
