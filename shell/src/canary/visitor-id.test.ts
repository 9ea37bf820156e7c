import { visitorId, visitorStorageKey } from './visitor-id.ts';

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
