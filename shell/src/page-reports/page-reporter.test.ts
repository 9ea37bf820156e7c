import { pageReport, type PartReport } from '@countersign/contracts/page-report';
import { createPageReporter } from './page-reporter.ts';

const viewed: PartReport = {
  part: 'mf-pricing',
  version: '1.1.0',
  group: 'canary',
  measure: 'viewed',
};

const beacon = jest.fn<boolean, [string, Blob]>(() => true);

beforeEach(() => {
  Object.assign(navigator, { sendBeacon: beacon });
  // Empties the queues of earlier tests' reporters, which listen to the same document.
  hide();
  beacon.mockClear();
  localStorage.clear();
  jest.useFakeTimers();
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

async function sent(): Promise<unknown[]> {
  const bodies = beacon.mock.calls.map(([, body]) => body);
  return Promise.all(bodies.map(async (body) => pageReport.parse(JSON.parse(await textOf(body)))));
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

test('page reports: queued reports are sent when the page is hidden, as the contract defines', async () => {
  const reporter = createPageReporter('r-0123456789ab');
  reporter.part(viewed);
  reporter.vital({ name: 'LCP', value: 1234.5 });
  expect(beacon).not.toHaveBeenCalled();
  hide();
  expect(beacon.mock.calls[0]?.[0]).toBe('/api/page-reports');
  expect(await sent()).toEqual([
    { releaseId: 'r-0123456789ab', parts: [viewed], vitals: [{ name: 'LCP', value: 1234.5 }] },
  ]);
});

test('page reports: reports are also sent while the page stays open, and only once', () => {
  const reporter = createPageReporter('r-0123456789ab');
  reporter.part(viewed);
  jest.advanceTimersByTime(60_000);
  expect(beacon).toHaveBeenCalledTimes(1);
  hide();
  expect(beacon).toHaveBeenCalledTimes(1);
});

test('page reports: a prerendered page sends its reports only once a visitor sees it', () => {
  Object.defineProperty(document, 'prerendering', { value: true, configurable: true });
  const reporter = createPageReporter('r-0123456789ab');
  reporter.part(viewed);
  jest.advanceTimersByTime(60_000);
  hide();
  expect(beacon).not.toHaveBeenCalled();
  Object.defineProperty(document, 'prerendering', { value: false });
  document.dispatchEvent(new Event('prerenderingchange'));
  expect(beacon).toHaveBeenCalledTimes(1);
});

test('page reports: each measure of a version counts once per view', async () => {
  const reporter = createPageReporter('r-0123456789ab');
  for (const cause of ['render', 'event'] as const)
    for (const report of [viewed, { ...viewed, measure: 'failed', cause } as const]) reporter.part(report);
  hide();
  expect(await sent()).toMatchObject([{ parts: [viewed, { measure: 'failed', cause: 'render' }] }]);
});

test("page reports: a visitor reports a version's failure at most once per hour", () => {
  const now = jest.spyOn(Date, 'now');
  const isSent = (time: number, version: string) => {
    now.mockReturnValue(time);
    beacon.mockClear();
    createPageReporter('r-0123456789ab').part({ ...viewed, version, measure: 'failed', cause: 'event' });
    jest.advanceTimersByTime(60_000);
    return beacon.mock.calls.length > 0;
  };
  expect([isSent(0, '1.1.0'), isSent(3_599_999, '1.1.0'), isSent(3_599_999, '1.0.0')]).toEqual([
    true,
    false,
    true,
  ]);
  expect([isSent(3_600_000, '1.1.0'), isSent(3_600_000, '1.1.0')]).toEqual([true, false]);
  // A clock that was set back silences nothing.
  expect(isSent(1_000, '1.1.0')).toBe(true);
});
