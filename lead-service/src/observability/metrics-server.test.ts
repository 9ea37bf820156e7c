import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { noopLog } from '../platform/log.ts';
import { sendRaw } from '../testing/send-lead.ts';
import { startMetricsServer } from './metrics-server.ts';

const metrics = {
  contentType: Registry.PROMETHEUS_CONTENT_TYPE,
  metrics: () => Promise.resolve('leads 1\n'),
};

for (const [address, expected] of [
  ['127.0.0.1', [200, 200, 421, 421]],
  // Prometheus of another machine uses any name of this one.
  ['0.0.0.0', [200, 200, 200, 200]],
] as const) {
  test(`metrics: on ${address}, names of other hosts get ${expected[2]}`, async () => {
    await using server = await startMetricsServer(metrics, { host: address, port: 0 }, noopLog);
    const url = server.url.replace('0.0.0.0', '127.0.0.1');
    const hosts = ['localhost:9464', '127.0.0.1', 'evil.example', 'evil@localhost'];
    const answers = await Promise.all(hosts.map((host) => sendRaw(`${url}/metrics`, { host })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      expected,
    );
  });
}
