import { act, fireEvent, renderHook } from '@testing-library/react';
import { departureLimit, useDeparture } from './use-departure.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A page that is about to be left; jsdom cannot leave one. */
function renderDeparture() {
  const navigate = jest.fn<undefined, [address: URL]>();
  const { result } = renderHook(() => useDeparture(navigate));
  return {
    navigate,
    departing: () => result.current[0],
    depart: () => act(() => result.current[1](new URL('https://app.example/login'))),
  };
}

test('the browser is sent to the address, and the page knows that it is being left', () => {
  const { navigate, departing, depart } = renderDeparture();
  expect(departing()).toBe(false);
  depart();
  expect(navigate.mock.calls.map(String)).toEqual(['https://app.example/login']);
  expect(departing()).toBe(true);
});

test('a page that the browser brings back from its cache can be used again', () => {
  const { departing, depart } = renderDeparture();
  depart();
  act(() => void dispatchEvent(new Event('pageshow')));
  expect(departing()).toBe(false);
});

test('Escape, which stops a navigation, gives the page back; other keys do not', () => {
  const { departing, depart } = renderDeparture();
  depart();
  fireEvent.keyDown(document.body, { key: 'Enter' });
  expect(departing()).toBe(true);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(departing()).toBe(false);
});

test('a navigation that leads nowhere gives the page back after ten seconds', () => {
  expect(departureLimit).toBe(10_000);
  const { departing, depart } = renderDeparture();
  depart();
  act(() => void jest.advanceTimersByTime(9999));
  expect(departing()).toBe(true);
  act(() => void jest.advanceTimersByTime(1));
  expect(departing()).toBe(false);
});

test('every departure has the ten seconds to itself', () => {
  const { departing, depart } = renderDeparture();
  depart();
  act(() => void jest.advanceTimersByTime(9000));
  fireEvent.keyDown(document.body, { key: 'Escape' });
  depart();
  act(() => void jest.advanceTimersByTime(9000));
  expect(departing()).toBe(true);
});
