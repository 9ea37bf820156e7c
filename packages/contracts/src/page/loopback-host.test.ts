import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopbackHost } from './loopback-host.ts';

for (const [host, expected] of [
  ['localhost', true],
  ['LOCALHOST:3003', true],
  ['127.0.0.1:3003', true],
  ['127.1.2.3', true],
  ['[::1]:3003', true],
  [undefined, false],
  ['', false],
  ['evil@localhost', false],
  ['localhost@evil.example', false],
  ['localhost.evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['evil.example:3003', false],
  ['localhost:3003/x', false],
  ['0.0.0.0', false],
] as const) {
  test(`loopback host: "${host}" is ${expected ? 'one' : 'none'}`, () => {
    assert.equal(isLoopbackHost(host), expected);
  });
}
