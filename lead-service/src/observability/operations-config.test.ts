import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { EnvironmentReader } from '../environment-reader.ts';
import { readOperations } from './operations-config.ts';

test('metrics and spans are off unless they are asked for', () => {
  const { metrics, tracesUrl } = readOperations(new EnvironmentReader({}));
  assert.deepEqual([metrics, tracesUrl], [undefined, undefined]);
});

test('a general address of the collector gets a path, a special one is taken as it is', () => {
  const general = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/otel/' };
  const special = { ...general, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/spans' };
  assert.equal(
    readOperations(new EnvironmentReader(general)).tracesUrl,
    'http://collector:4318/otel/v1/traces',
  );
  assert.equal(readOperations(new EnvironmentReader(special)).tracesUrl, 'http://collector:4318/spans');
});

test('settings: LIVE_PAGE is an address, or a path from the working directory', () => {
  const livePage = (value: string) => readOperations(new EnvironmentReader({ LIVE_PAGE: value })).livePage;
  assert.equal(livePage('https://www.example.com'), 'https://www.example.com/');
  assert.equal(livePage('/srv/site/current/index.html'), '/srv/site/current/index.html');
  assert.equal(livePage('site/index.html'), join(process.cwd(), 'site/index.html'));
});

test('every setting that does not hold is a fault', () => {
  const reader = new EnvironmentReader({
    METRICS_PORT: '70000',
    METRICS_HOST: 'a b',
    DELIVERY_LATE_AFTER_SECONDS: '0',
    STOP_DELAY_SECONDS: 'soon',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    LIVE_PAGE: 's3://releases/current/index.html',
  });
  readOperations(reader);
  assert.deepEqual(
    reader.faults.map((fault) => /^\w+/.exec(fault)?.[0]),
    [
      'METRICS_PORT',
      'METRICS_HOST',
      'DELIVERY_LATE_AFTER_SECONDS',
      'STOP_DELAY_SECONDS',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'LIVE_PAGE',
    ],
  );
});
