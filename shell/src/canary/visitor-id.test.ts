import { visitorId } from './visitor-id.ts';

beforeEach(() => localStorage.clear());
afterEach(() => jest.restoreAllMocks());

test('a visitor keeps one name', () => {
  const name = visitorId();
  expect(name).toMatch(/^[\da-f-]{36}$/);
  expect(visitorId()).toBe(name);
});

test('a visitor whose browser forbids storage has none', () => {
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('Forbidden', 'SecurityError');
  });
  expect(visitorId()).toBeUndefined();
});
