import type { SlotState } from '@countersign/contracts/slot-markup';
import type { FailureCause } from '@countersign/contracts/telemetry';
import { announcePart } from '../slot/part-event.ts';
import { sampleRelease, sampleVersion } from '../testing/sample-release.ts';
import { statusOf } from './describe-block.ts';
import { describeStep, describeTimes } from './load-trace.ts';
import { createPageBlocks } from './page-blocks.ts';
import { watchLoads } from './watch-loads.ts';

const release = sampleRelease({
  'mf-pricing': { live: sampleVersion('1.1.0'), previous: sampleVersion('1.0.0') },
});

function watch() {
  document.body.innerHTML =
    '<div data-remote="mf-pricing" data-exposed="./pricing" data-prerendered="1.1.0"></div>';
  const blocks = createPageBlocks(document.body, release);
  watchLoads(blocks, () => ['1.1.0', '1.0.0']);
  const [block] = blocks.all;
  if (!block) throw new Error('The page has no block.');
  const part = { remote: 'mf-pricing', exposed: './pricing' } as const;
  return {
    block,
    enter: (state: SlotState) => block.element.setAttribute('data-state', state),
    late: () => announcePart({ ...part, version: '1.1.0', outcome: 'late' }),
    async run(version: string) {
      announcePart({ ...part, version, outcome: 'loaded', milliseconds: 40 });
      block.element.setAttribute('data-state', 'running');
      expect(statusOf(block)).toBe('loading');
      block.element.setAttribute('data-version', version);
      await Promise.resolve();
    },
    fail: (version: string, cause: FailureCause, message: string) =>
      announcePart({ ...part, version, outcome: 'failed', cause, error: new Error(message) }),
    /** Outside of rendering, so the slot is unknown. */
    failLater: (version: string, message: string) =>
      announcePart({
        remote: 'mf-pricing',
        version,
        outcome: 'failed',
        cause: 'event',
        error: new Error(message),
      }),
    trace: () => block.steps.map(describeStep),
  };
}

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('load trace: a block loads and hydrates', async () => {
  const { block, enter, run, trace } = watch();
  expect(statusOf(block)).toBe('waiting');
  enter('loading');
  expect(statusOf(block)).toBe('loading');
  await run('1.1.0');
  expect(trace()).toEqual(['1.1.0 loaded in 40 ms', '1.1.0 hydrated in the prerendered markup']);
  expect(statusOf(block)).toBe('running');
});

test('load trace: a slow version is late, and hydrates when it comes', async () => {
  const { block, enter, run, late } = watch();
  enter('loading');
  late();
  expect(statusOf(block)).toBe('late');
  await run('1.1.0');
  expect(statusOf(block)).toBe('running');
});

test('load trace: a version that fails to load names the cause and the next version', async () => {
  const { block, enter, run, fail, trace } = watch();
  enter('loading');
  fail('1.1.0', 'load', 'The stylesheet could not be loaded.');
  expect(trace()).toEqual([
    '1.1.0 could not be loaded: The stylesheet could not be loaded.',
    'falls back to 1.0.0',
  ]);
  expect(statusOf(block)).toBe('loading');
  await run('1.0.0');
  expect(trace().at(-1)).toBe('1.0.0 rendered in place of the markup');
  expect(statusOf(block)).toBe('fell-back');
});

test('load trace: after the last version the block keeps its plain markup', () => {
  const { block, enter, fail, trace } = watch();
  enter('loading');
  fail('1.0.0', 'render', 'No prices.');
  expect(trace()).toEqual(['1.0.0 threw while rendering: No prices.', 'no version left: plain markup']);
  for (const state of ['waiting', 'failed'] as const) {
    enter(state);
    expect(statusOf(block)).toBe('failed');
  }
});

test('load trace: an error outside of rendering leaves the block running', async () => {
  const { block, run, failLater, trace } = watch();
  await run('1.1.0');
  failLater('1.1.0', 'No clicks.');
  failLater('1.0.0', 'Another version.');
  expect(trace().slice(2)).toEqual(['1.1.0 threw outside of rendering, and keeps running: No clicks.']);
  expect(statusOf(block)).toBe('running');
});

test('load trace: goes on in a slot that the shell restored as another element', async () => {
  const { block, run, trace } = watch();
  await run('1.1.0');
  const times = describeTimes(block.steps);
  jest.advanceTimersByTime(3000);
  const restored = block.element.cloneNode() as Element;
  restored.removeAttribute('data-version');
  block.element.replaceWith(restored);
  expect(block.element).toBe(restored);
  await run('1.1.0');
  expect(trace().filter((step) => step.includes('hydrated'))).toHaveLength(2);
  expect(describeTimes(block.steps)).toBe(times);
});
