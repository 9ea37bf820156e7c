import { telemetryReport, type PartReport } from '@countersign/contracts/telemetry';
import { createTelemetry } from './telemetry.ts';

const loaded: PartReport = {
  part: 'mf-pricing',
  version: '1.1.0',
  group: 'canary',
  outcome: 'loaded',
  milliseconds: 312,
};

const beacon = jest.fn<boolean, [string, Blob]>(() => true);

beforeEach(() => {
  Object.assign(navigator, { sendBeacon: beacon });
  // Instances of earlier tests listen to the same document, but have empty queues.
  hide();
  beacon.mockClear();
  jest.useFakeTimers({ doNotFake: ['queueMicrotask'] });
});
afterEach(() => jest.useRealTimers());

async function sent(): Promise<unknown[]> {
  const bodies = beacon.mock.calls.map(([, body]) => body);
  return Promise.all(bodies.map(async (body) => telemetryReport.parse(JSON.parse(await textOf(body)))));
}

function textOf(blob: Blob): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.readAsText(blob);
    jest.runOnlyPendingTimers();
  });
}

function hide(): void {
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  jest.restoreAllMocks();
}

test('telemetry: queued reports are sent when the page is hidden, as the contract defines', async () => {
  const telemetry = createTelemetry('r-0123456789ab');
  telemetry.part(loaded);
  telemetry.vital({ name: 'LCP', value: 1234.5 });
  expect(beacon).not.toHaveBeenCalled();
  hide();
  expect(beacon.mock.calls[0]?.[0]).toBe('/api/telemetry');
  expect(await sent()).toEqual([
    { releaseId: 'r-0123456789ab', parts: [loaded], vitals: [{ name: 'LCP', value: 1234.5 }] },
  ]);
});

test('telemetry: reports are also sent while the page stays open, and only once', () => {
  const telemetry = createTelemetry('r-0123456789ab');
  telemetry.part(loaded);
  jest.advanceTimersByTime(60_000);
  expect(beacon).toHaveBeenCalledTimes(1);
  hide();
  expect(beacon).toHaveBeenCalledTimes(1);
});

test('telemetry: a prerendered page sends its reports when a visitor sees it, and none before', () => {
  Object.defineProperty(document, 'prerendering', { value: true, configurable: true });
  const telemetry = createTelemetry('r-0123456789ab');
  telemetry.part(loaded);
  jest.advanceTimersByTime(60_000);
  hide();
  expect(beacon).not.toHaveBeenCalled();
  Object.defineProperty(document, 'prerendering', { value: false });
  document.dispatchEvent(new Event('prerenderingchange'));
  expect(beacon).toHaveBeenCalledTimes(1);
});

test('telemetry: repeated failures cannot exceed the size of one report', async () => {
  const telemetry = createTelemetry('r-0123456789ab');
  for (let time = 0; time < 500; time += 1) telemetry.part(loaded);
  hide();
  expect(await sent()).toMatchObject([{ parts: Array.from({ length: 64 }, () => loaded) }]);
});

const begun: PartReport = { part: 'mf-pricing', version: '1.1.0', group: 'canary', outcome: 'begun' };

test('telemetry: load starts of one task share an immediate beacon', async () => {
  const telemetry = createTelemetry('r-0123456789ab');
  telemetry.part(begun);
  telemetry.part({ ...begun, part: 'mf-leads' });
  expect(beacon).not.toHaveBeenCalled();
  await Promise.resolve();
  expect(await sent()).toEqual([
    { releaseId: 'r-0123456789ab', parts: [begun, { ...begun, part: 'mf-leads' }], vitals: [] },
  ]);
});

test('telemetry: the first report after a load start contains its age', async () => {
  const telemetry = createTelemetry('r-0123456789ab');
  telemetry.part(begun);
  await Promise.resolve();
  jest.advanceTimersByTime(300);
  telemetry.part(loaded);
  telemetry.part({ ...begun, outcome: 'failed', cause: 'render' });
  jest.advanceTimersByTime(10_000);
  const [, report] = await sent();
  expect(report).toMatchObject({
    parts: [
      { ...loaded, sinceBegun: 10_300 },
      { ...begun, outcome: 'failed', cause: 'render' },
    ],
  });
  expect(JSON.stringify(report).match(/sinceBegun/g)).toHaveLength(1);
});

test('telemetry: a tab closed during a load reports `left`', async () => {
  const telemetry = createTelemetry('r-0123456789ab');
  telemetry.part(begun);
  await Promise.resolve();
  jest.advanceTimersByTime(700);
  hide();
  hide();
  const [, ...after] = await sent();
  expect(after).toMatchObject([{ parts: [{ ...begun, outcome: 'left', sinceBegun: 700 }] }]);
});
