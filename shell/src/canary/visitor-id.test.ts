import { sampleRelease, sampleVersion } from '../testing/sample-release.ts';
import { removeIdWithoutCanary, visitorId, visitorStorageKey } from './visitor-id.ts';

beforeEach(() => localStorage.clear());
afterEach(() => jest.restoreAllMocks());

test('visitor ID: stays the same', () => {
  const name = visitorId(visitorStorageKey);
  expect(name).toMatch(/^[\da-f-]{36}$/);
  expect(visitorId(visitorStorageKey)).toBe(name);
});

test('visitor ID: none if storage is blocked', () => {
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('Forbidden', 'SecurityError');
  });
  expect(visitorId(visitorStorageKey)).toBeUndefined();
});

test('visitor ID: is kept while a part has a canary, and no longer', () => {
  const live = sampleVersion('1.0.0');
  const name = visitorId(visitorStorageKey);
  removeIdWithoutCanary(sampleRelease({ 'mf-pricing': { live, canary: { version: live, percent: 0 } } }));
  expect(localStorage.getItem(visitorStorageKey)).toBe(name);
  removeIdWithoutCanary(sampleRelease({ 'mf-pricing': { live } }));
  expect(localStorage.getItem(visitorStorageKey)).toBeNull();
});
