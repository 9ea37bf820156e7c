import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { FailureCause } from '@countersign/contracts/telemetry';
import type { ModuleFederationRuntimePlugin } from '@module-federation/enhanced/runtime';
import { announcePart } from '../slot/part-event.ts';
import { describeStep, statusOf, timingsOf } from './load-trace.ts';
import { createPageBlocks } from './page-blocks.ts';
import { watchLoads } from './watch-loads.ts';

const asset = (name: string) => ({ url: `/mf-pricing/${name}`, integrity: `sha384-${'a'.repeat(64)}` });
const version = (name: string) => ({
  version: name,
  globalName: `mf-pricing@${name}`,
  entry: asset(`${name}/entry.js`),
  exposes: { './pricing': { scripts: [], styles: [asset(`${name}/pricing.css`)] } },
});
const release: ReleaseDocument = {
  schemaVersion: 1,
  releaseId: 'r-0123456789ab',
  shell: { version: '1.0.0', scripts: [], styles: [] },
  remotes: { 'mf-pricing': { live: version('1.1.0'), previous: version('1.0.0') } },
};

const log = console.error;
const federation = globalThis as { __FEDERATION__?: { __GLOBAL_PLUGIN__: ModuleFederationRuntimePlugin[] } };

function watch() {
  document.body.innerHTML =
    '<div data-remote="mf-pricing" data-exposed="./pricing" data-prerendered="1.1.0"></div>';
  const blocks = createPageBlocks(document.body, release);
  watchLoads(blocks, release, () => ['1.1.0', '1.0.0']);
  const [block] = blocks.all;
  const plugin = federation.__FEDERATION__?.__GLOBAL_PLUGIN__.at(-1);
  if (!block || !plugin) throw new Error('The overlay watches nothing.');
  // The runtime calls plugins with more than they read here.
  const call = (hook: 'beforeRequest' | 'onLoad', id: string) =>
    (plugin[hook] as (args: { id: string }) => unknown)({ id });
  return {
    block,
    request: (name: string) => call('beforeRequest', `mf-pricing@${name}/pricing`),
    ready: (name: string) => call('onLoad', `mf-pricing@${name}/pricing`),
    async show(name: string) {
      block.element.setAttribute('data-version', name);
      await Promise.resolve();
    },
    late: () =>
      announcePart({ remote: 'mf-pricing', version: '1.1.0', outcome: 'late', exposed: './pricing' }),
    fail: (name: string, cause: FailureCause, message: string, exposed?: string) =>
      announcePart({
        remote: 'mf-pricing',
        version: name,
        outcome: 'failed',
        cause,
        error: new Error(message),
        ...(exposed !== undefined && { exposed }),
      }),
    trace: () => block.steps.map(describeStep),
  };
}

beforeEach(() => {
  jest.useFakeTimers();
  // jsdom records no resources.
  performance.getEntriesByName = () => [];
  console.error = () => undefined;
});

afterEach(() => {
  jest.useRealTimers();
  console.error = log;
  delete federation.__FEDERATION__;
});

test('load trace: a block is requested, ready and hydrated', async () => {
  const { block, request, ready, show, trace } = watch();
  expect(statusOf(block.steps)).toBe('waiting');
  request('1.1.0');
  expect(statusOf(block.steps)).toBe('loading');
  ready('1.1.0');
  await show('1.1.0');
  expect(trace()).toEqual(['1.1.0 requested', 'code ready', '1.1.0 hydrated in the prerendered markup']);
  expect(statusOf(block.steps)).toBe('running');
});

test('load trace: a slow version is late, and hydrates when it comes', async () => {
  const { block, request, ready, show, late } = watch();
  request('1.1.0');
  late();
  expect(statusOf(block.steps)).toBe('late');
  ready('1.1.0');
  await show('1.1.0');
  expect(statusOf(block.steps)).toBe('running');
});

test('load trace: a version that fails to load names the file and the next version', async () => {
  const { block, request, ready, show, fail, trace } = watch();
  request('1.1.0');
  const style = document.createElement('link');
  style.href = '/mf-pricing/1.1.0/pricing.css';
  document.head.append(style);
  style.dispatchEvent(new Event('error'));
  ready('1.1.0');
  fail('1.1.0', 'load', 'The stylesheet could not be loaded.', './pricing');
  expect(trace().slice(2)).toEqual([
    '1.1.0 could not be loaded: /mf-pricing/1.1.0/pricing.css was refused: the network failed, or its content has another hash than the release',
    'falls back to 1.0.0',
  ]);
  request('1.0.0');
  ready('1.0.0');
  await show('1.0.0');
  expect(statusOf(block.steps)).toBe('fell-back');
});

test('load trace: after the last version the block keeps its plain markup', () => {
  const { block, request, ready, fail, trace } = watch();
  request('1.0.0');
  ready('1.0.0');
  fail('1.0.0', 'render', 'No prices.', './pricing');
  expect(trace().slice(2)).toEqual([
    '1.0.0 threw while rendering: No prices.',
    'no version left: plain markup',
  ]);
  expect(statusOf(block.steps)).toBe('failed');
});

test('load trace: an error outside of rendering leaves the block running', async () => {
  const { block, request, ready, show, fail, trace } = watch();
  request('1.1.0');
  ready('1.1.0');
  await show('1.1.0');
  fail('1.1.0', 'event', 'No clicks.');
  fail('1.0.0', 'event', 'Another version.');
  expect(trace().slice(3)).toEqual(['1.1.0 threw outside of rendering, and keeps running: No clicks.']);
  expect(statusOf(block.steps)).toBe('running');
});

test('load trace: code that comes after its version failed adds nothing', () => {
  const { request, ready, fail, trace } = watch();
  request('1.1.0');
  fail('1.1.0', 'load', 'The stylesheet could not be loaded.', './pricing');
  request('1.0.0');
  ready('1.1.0');
  expect(trace().slice(2)).toEqual(['falls back to 1.0.0', '1.0.0 requested']);
});

test('load trace: goes on in a slot that the shell restored as another element', async () => {
  const { block, request, ready, show, trace } = watch();
  request('1.1.0');
  ready('1.1.0');
  await show('1.1.0');
  const times = timingsOf(block.steps);
  jest.advanceTimersByTime(3000);
  const restored = block.element.cloneNode();
  block.element.replaceWith(restored);
  expect(block.element).toBe(restored);
  await show('1.1.0');
  expect(trace().filter((step) => step.includes('hydrated'))).toHaveLength(2);
  expect(timingsOf(block.steps)).toEqual(times);
});
