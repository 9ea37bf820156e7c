import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockingTime, lateness, layoutShift } from './visit-figures.ts';

test('blocking time: counts what exceeds 50 ms, of tasks that begin in the interval', () => {
  const tasks = [
    { at: 0, duration: 500 },
    { at: 100, duration: 80 },
    { at: 200, duration: 60 },
    { at: 300, duration: 500 },
  ];
  assert.equal(blockingTime(tasks, 50, 300), 40);
});

test('layout shift: the worst session counts, not the sum of all', () => {
  const shifts = [
    { at: 0, value: 0.1 },
    { at: 500, value: 0.1 },
    { at: 3000, value: 0.15 },
  ];
  assert.equal(layoutShift(shifts), 0.2);
  assert.equal(layoutShift([]), 0);
});

test('lateness: a frame after the splash is in time', () => {
  assert.equal(lateness(1000), 0);
  assert.equal(lateness(2030), 0);
  assert.equal(lateness(2400), 400);
});
