import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainDepth } from './request-chain.ts';

const request = (
  url: string,
  kind: string,
  initiator: string,
  startedAt: number,
  endedAt: number,
  initiatorUrl?: string,
) => ({
  ...{ url, kind, initiator, startedAt, endedAt, initiatorUrl },
  fromCache: false,
});

const page = request('/', 'Document', 'other', 0, 1);

test('chain depth: resources in the HTML depend on the HTML', () => {
  const files = [
    request('/a.js', 'Script', 'parser', 1, 2, '/'),
    request('/b.css', 'Stylesheet', 'parser', 5, 6, '/'),
  ];
  assert.equal(chainDepth([page, ...files], 10), 2);
});

test('chain depth: a font depends on its stylesheet', () => {
  const style = request('/b.css', 'Stylesheet', 'parser', 1, 2, '/');
  assert.equal(chainDepth([page, style, request('/f.woff2', 'Font', 'parser', 3, 4, '/b.css')], 10), 3);
});

test('chain depth: a script’s request depends on received data', () => {
  const script = request('/a.js', 'Script', 'parser', 1, 2, '/');
  const manifest = request('/m.json', 'Fetch', 'script', 3, 4);
  const early = request('/early.js', 'Script', 'script', 3.5, 5);
  const entry = request('/e.js', 'Script', 'script', 4, 5);
  assert.equal(chainDepth([page, script, manifest, early], 10), 3);
  assert.equal(chainDepth([page, script, manifest, entry], 10), 4);
});

test('chain depth: beacons and later requests are not counted', () => {
  const report = request('/api/page-reports', 'Ping', 'script', 2, 3);
  const late = request('/late.js', 'Script', 'script', 20, 21);
  assert.equal(chainDepth([page, report, late], 10), 1);
});
