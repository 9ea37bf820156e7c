import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicAddress } from './public-address.ts';

for (const [what, addresses] of Object.entries({
  loopback: ['127.0.0.1', '127.8.8.8', '::1', '0.0.0.0', '0.1.2.3', '::'],
  'a private network': ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd00::1', 'fec0::1'],
  'a link-local network': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  multicast: ['224.0.0.1', '255.255.255.255', 'ff02::1'],
  'a reserved network': ['192.0.2.1', '198.18.0.1', '240.0.0.1', '2001:db8::1'],
  'an IPv4-mapped IPv6 range': [
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
  ],
  nothing: ['', 'localhost', '1.2.3'],
})) {
  test(`public address: ${what} is not public`, () => {
    for (const address of addresses) assert.equal(isPublicAddress(address), false, address);
  });
}

test('public address: global unicast is public, also as IPv4-mapped IPv6', () => {
  for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1', '::ffff:8.8.8.8']) {
    assert.equal(isPublicAddress(address), true, address);
  }
});
