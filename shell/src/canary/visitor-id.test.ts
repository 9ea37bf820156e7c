import { visitorId, visitorStorageKey } from './visitor-id.ts';

beforeEach(() => localStorage.clear());
afterEach(() => jest.restoreAllMocks());

test('a visitor keeps one name', () => {
  const name = visitorId(visitorStorageKey);
  expect(name).toMatch(/^[\da-f-]{36}$/);
  expect(visitorId(visitorStorageKey)).toBe(name);
});

test('a visitor whose browser forbids storage has none', () => {
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('Forbidden', 'SecurityError');
  });
  expect(visitorId(visitorStorageKey)).toBeUndefined();
});
