import { layOutSections } from './lay-out-sections.ts';

const root = document.documentElement;

beforeEach(() => {
  jest.useFakeTimers();
  document.body.innerHTML = '<div data-remote="mf-content"></div>';
  root.setAttribute('data-lazy-layout', '');
  layOutSections();
});

afterEach(() => {
  jest.useRealTimers();
  root.removeAttribute('data-lazy-layout');
});

test('layout: the sections below the first screen are laid out once the browser is idle', () => {
  expect(root).toHaveAttribute('data-lazy-layout');
  jest.advanceTimersByTime(1000);
  expect(root).not.toHaveAttribute('data-lazy-layout');
});

test('layout: the rest is laid out when no part loads or hydrates', () => {
  const slot = document.querySelector('[data-remote]');
  for (const state of ['loading', 'running']) {
    slot?.setAttribute('data-state', state);
    jest.advanceTimersByTime(1000);
    expect(root).toHaveAttribute('data-lazy-layout');
  }
  slot?.setAttribute('data-version', '1.0.0');
  jest.advanceTimersByTime(1000);
  expect(root).not.toHaveAttribute('data-lazy-layout');
});
