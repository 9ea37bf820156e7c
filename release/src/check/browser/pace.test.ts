import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace, type Timed } from './pace.ts';

const pageOf = (isLive: boolean) => ({ isLive, largestFraction: 0 }) satisfies Timed;

/** A pace whose clock a test sets, and which takes a time for each of some works with a limit of 10 s. */
function pace() {
  let now = 0;
  const measured = new Pace(() => now);
  const take = (seconds: number, page: Timed) => {
    const stop = measured.start(10_000, page, () => undefined);
    now += seconds * 1000;
    return stop;
  };
  return { measured, take };
}

test('pace: usual limits apply while the live page needs less than a third of them', () => {
  const { measured, take } = pace();
  take(3, pageOf(true))();
  assert.equal(measured.factor, 1);
});

test('pace: a page may take three times the time of the live page, even unfinished', () => {
  const { measured, take } = pace();
  const stop = take(5, pageOf(true));
  assert.equal(measured.limitOf(10_000, pageOf(false)), 15_000);
  stop();
  take(1, pageOf(true))();
  assert.equal(measured.limitOf(10_000, pageOf(false)), 15_000);
});

test('pace: the machine is slow if the live page misses its usual limits', () => {
  const { measured, take } = pace();
  take(9, pageOf(true))();
  assert.equal(measured.isSlow, false);
  take(11, pageOf(true))();
  assert.equal(measured.isSlow, true);
});

test('pace: a slow version changes no limit; the live page may take twice its own', () => {
  const { measured, take } = pace();
  take(60, pageOf(false))();
  assert.equal(measured.factor, 1);
  assert.equal(measured.limitOf(10_000, pageOf(true)), 20_000);
});

test('pace: calls back when a limit is over, after the live page had its time', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const measured = new Pace(() => Date.now());
  const over: number[] = [];
  const stopLive = measured.start(10_000, pageOf(true), () => assert.fail('The live page was in time.'));
  const stop = measured.start(10_000, pageOf(false), (after) => over.push(after));
  t.mock.timers.tick(8_000);
  stopLive();
  t.mock.timers.tick(15_999);
  assert.deepEqual(over, []);
  t.mock.timers.tick(1);
  assert.deepEqual(over, [24_000]);
  stop();
});

test('pace: beside a late live page, only a version three times as fast passes', () => {
  const { measured, take } = pace();
  const [fast, slow] = [pageOf(false), pageOf(false)];
  take(6, fast)();
  take(7, slow)();
  assert.deepEqual(
    [fast, slow].map((page) => measured.isInTime(page)),
    [true, false],
  );
});
