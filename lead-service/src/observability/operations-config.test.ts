import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { EnvironmentReader } from '@countersign/environment/environment-reader';
import { readOperations } from './operations-config.ts';

test('LIVE_PAGE: a URL, or a path relative to the working directory', () => {
  const livePage = (value: string) => readOperations(new EnvironmentReader({ LIVE_PAGE: value })).livePage;
  assert.equal(livePage('https://www.example.com'), 'https://www.example.com/');
  assert.equal(livePage('/srv/site/current/index.html'), '/srv/site/current/index.html');
  assert.equal(livePage('site/index.html'), join(process.cwd(), 'site/index.html'));
});

test('operations settings: every invalid setting is an error', () => {
  const reader = new EnvironmentReader({
    METRICS_PORT: '70000',
    METRICS_HOST: 'a b',
    DELIVERY_LATE_AFTER_SECONDS: '0',
    STOP_DELAY_SECONDS: 'soon',
    LIVE_PAGE: 's3://releases/current/index.html',
  });
  readOperations(reader);
  assert.deepEqual(
    reader.errors.map((error) => /^\w+/.exec(error)?.[0]),
    ['METRICS_PORT', 'METRICS_HOST', 'DELIVERY_LATE_AFTER_SECONDS', 'STOP_DELAY_SECONDS', 'LIVE_PAGE'],
  );
});
