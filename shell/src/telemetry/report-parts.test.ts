import { remoteNames } from '@countersign/contracts/remotes';
import type { FailureCause, PartReport } from '@countersign/contracts/telemetry';
import type { VariantAssignment } from '../canary/assign-variants.ts';
import { reportLoadStarts, reportParts } from './report-parts.ts';

const stable = Object.fromEntries(remoteNames.map((remote) => [remote, 'stable'])) as VariantAssignment;
const variants = { ...stable, 'mf-pricing': 'canary' } as const;

afterEach(() => {
  jest.restoreAllMocks();
  localStorage.clear();
});

test('part reports: a version counts once per outcome, with its variant', () => {
  const sent: PartReport[] = [];
  const report = reportParts({ part: (it) => sent.push(it), vital: () => undefined }, variants);
  const version = { remote: 'mf-pricing', exposed: './pricing', version: '1.1.0' } as const;
  report({ ...version, outcome: 'loaded', milliseconds: 12.6 });
  report({ ...version, exposed: './other', outcome: 'loaded', milliseconds: 20 });
  report({ ...version, outcome: 'failed', cause: 'render', error: new Error('no plans') });
  report({ ...version, outcome: 'failed', cause: 'event', error: new Error('no plans') });
  report({ ...version, version: '1.0.0', outcome: 'loaded', milliseconds: 3 });
  const common = { part: 'mf-pricing', version: '1.1.0', group: 'canary' };
  expect(sent).toEqual([
    { ...common, outcome: 'loaded', milliseconds: 13 },
    { ...common, outcome: 'failed', cause: 'render' },
    { ...common, version: '1.0.0', outcome: 'loaded', milliseconds: 3 },
  ]);
});

/** Reports failures of mf-pricing in one page view, and returns what is sent. */
function sentInOneView(
  ...failures: readonly (readonly [version: string, cause: FailureCause])[]
): readonly string[] {
  const sent: string[] = [];
  const telemetry = {
    part: ({ version, outcome, cause }: PartReport) => sent.push([version, outcome, cause].join(' ').trim()),
    vital: () => undefined,
  };
  const report = reportParts(telemetry, variants);
  for (const [version, cause] of failures) {
    report({ remote: 'mf-pricing', version, outcome: 'failed', cause, error: new Error('no plans') });
  }
  return sent;
}

test('part reports: a visitor reports the failure of a version once per hour, however often the page is opened', () => {
  const now = jest.spyOn(Date, 'now').mockReturnValue(0);
  expect(sentInOneView(['1.1.0', 'event'])).toEqual(['1.1.0 failed event']);
  now.mockReturnValue(3_599_999);
  expect(sentInOneView(['1.1.0', 'event'], ['1.0.0', 'event'])).toEqual(['1.0.0 failed event']);
  expect(sentInOneView(['1.1.0', 'event'])).toEqual([]);
  now.mockReturnValue(3_600_000);
  expect(sentInOneView(['1.1.0', 'event'], ['1.0.0', 'event'])).toEqual(['1.1.0 failed event']);
  expect(sentInOneView(['1.1.0', 'event'])).toEqual([]);
  // A clock that was set back silences nothing.
  now.mockReturnValue(1_000);
  expect(sentInOneView(['1.1.0', 'event'])).toEqual(['1.1.0 failed event']);
});

test('part reports: a failure hides no failure of another cause in later page views', () => {
  expect(sentInOneView(['1.1.0', 'load'])).toEqual(['1.1.0 failed load']);
  expect(sentInOneView(['1.1.0', 'render'], ['1.1.0', 'event'])).toEqual(['1.1.0 failed render']);
  expect(sentInOneView(['1.1.0', 'render'])).toEqual([]);
});

test('part reports: unreadable marks are ignored', () => {
  localStorage.setItem(
    'countersign-reported-failures',
    'mf-pricing 1.1.0 failed\nsoon mf-pricing 1.1.0 event',
  );
  expect(sentInOneView(['1.1.0', 'event'])).toEqual(['1.1.0 failed event']);
  expect(sentInOneView(['1.1.0', 'event'])).toEqual([]);
});

test('part reports: a hydration mismatch hides no failure, and is reported once', () => {
  const failures = [
    ['1.1.0', 'mismatch'],
    ['1.1.0', 'render'],
  ] as const;
  expect(sentInOneView(...failures)).toEqual(['1.1.0 failed mismatch', '1.1.0 failed render']);
  expect(sentInOneView(...failures)).toEqual([]);
});

test('part reports: a load that fails again settles its view', () => {
  expect(sentInOneView(['1.1.0', 'load'])).toEqual(['1.1.0 failed load']);
  expect(sentInOneView(['1.1.0', 'load'])).toEqual(['1.1.0 left']);
});

test('part reports: without storage, each page view reports', () => {
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('No storage', 'SecurityError');
  });
  expect(sentInOneView(['1.1.0', 'event'], ['1.1.0', 'event'])).toEqual(['1.1.0 failed event']);
  expect(sentInOneView(['1.1.0', 'event'])).toEqual(['1.1.0 failed event']);
});

test('part reports: the mark of reported failures stays small', () => {
  for (let release = 0; release < 100; release += 1) sentInOneView([`1.${release}.0`, 'render']);
  expect(sentInOneView(['1.99.0', 'render'])).toEqual([]);
  expect(JSON.stringify({ ...localStorage }).length).toBeLessThan(2_000);
});

test('load starts: each compared part is reported once, with the assigned version', () => {
  const sent: PartReport[] = [];
  const telemetry = { part: (it: PartReport) => sent.push(it), vital: () => undefined };
  const begin = reportLoadStarts(telemetry, variants, new Set(['mf-pricing'] as const));
  begin('mf-header', '1.0.0');
  begin('mf-pricing', '1.1.0');
  begin('mf-pricing', '1.1.0');
  begin('mf-pricing', '1.0.0');
  expect(sent).toEqual([{ part: 'mf-pricing', version: '1.1.0', group: 'canary', outcome: 'begun' }]);
});
