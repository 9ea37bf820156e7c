import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopbackHost } from '@countersign/contracts/program';
import { hostInUrl } from './listen.ts';

test('host in a URL: IPv6 addresses are in brackets, so that ::1 is known as this machine', () => {
  assert.deepEqual(['::1', '127.0.0.1', 'a.example'].map(hostInUrl), ['[::1]', '127.0.0.1', 'a.example']);
  assert(isLoopbackHost(hostInUrl('::1')));
});
