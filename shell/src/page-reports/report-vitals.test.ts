import type { PartReport, VitalReport } from '@countersign/contracts/page-report';
import { reportVitals } from './report-vitals.ts';

/** Measurements of the browser, by type: given at once, or held back until it is asked for. */
type Measured = Readonly<Record<string, readonly object[]>>;

function report(measured: Measured, { heldBack = false, supported = Object.keys(measured) } = {}) {
  class Observer {
    static readonly supportedEntryTypes = supported;
    private records: readonly object[] = [];
    private readonly use: (list: { getEntries(): readonly object[] }) => void;
    constructor(use: Observer['use']) {
      this.use = use;
    }
    observe({ type }: { readonly type: string }) {
      if (heldBack) this.records = measured[type] ?? [];
      else this.use({ getEntries: () => measured[type] ?? [] });
    }
    takeRecords() {
      return this.records;
    }
  }
  Object.assign(globalThis, { PerformanceObserver: Observer });
  Object.assign(performance, {
    getEntriesByType: () => measured['navigation'] ?? [],
    getEntriesByName: () => measured['paint'] ?? [],
  });
  const vitals: VitalReport[] = [];
  const parts: PartReport[] = [];
  reportVitals(
    { part: (entry) => parts.push(entry), vital: (entry) => vitals.push(entry) },
    { 'mf-pricing': 'canary' },
  );
  const visibility = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  for (let hidden = 0; hidden < 2; hidden += 1) document.dispatchEvent(new Event('visibilitychange'));
  visibility.mockRestore();
  return { vitals: Object.fromEntries(vitals.map(({ name, value }) => [name, value])), parts };
}

const press = (duration: number, target: Element | null = null, interactionId = 1) => ({
  duration,
  target,
  interactionId,
});
const shift = (startTime: number, value: number, hadRecentInput = false) => ({
  startTime,
  value,
  hadRecentInput,
});

test.each([false, true])('vitals: reported once, when the page is hidden (held back: %s)', (heldBack) => {
  const { vitals } = report(
    {
      navigation: [{ responseStart: 300, activationStart: 100 }],
      paint: [{ startTime: 500 }],
      'largest-contentful-paint': [{ startTime: 600 }, { startTime: 900 }],
      // The sum of the second window is the largest; shifts after a press do not count.
      'layout-shift': [shift(100, 0.1), shift(2000, 0.125), shift(2500, 0.125), shift(2600, 9, true)],
      event: [press(48), press(200), press(9000, null, 0), press(64)],
    },
    { heldBack },
  );
  expect(vitals).toEqual({ TTFB: 200, FCP: 400, LCP: 800, CLS: 0.25, INP: 200 });
});

test('vitals: what a browser does not measure is missing', () => {
  expect(report({ navigation: [{ responseStart: 300 }] }).vitals).toEqual({ TTFB: 300 });
});

test('vitals: the version with the slowest press is slow if over half a second', () => {
  document.body.innerHTML =
    '<div data-remote="mf-pricing" data-version="1.1.0"><button></button></div><i></i>';
  const [button, other] = [document.querySelector('button'), document.querySelector('i')];
  const slow = { part: 'mf-pricing', version: '1.1.0', group: 'canary', measure: 'slow' };
  const partsOf = (...event: readonly object[]) => report({ event }).parts;
  expect(partsOf(press(501, button), press(400, other))).toEqual([slow]);
  expect(partsOf(press(501, button), press(600, other))).toEqual([]);
  expect(partsOf(press(500, button))).toEqual([]);
});
