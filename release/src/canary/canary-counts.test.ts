import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageReportCounts } from '@countersign/contracts/page-reports';
import { compareGroups, lacksVersions } from './canary-counts.ts';

const snapshot = { version: '1.1.0', percent: 10, live: '1.0.0' };
const canary: PageReportCounts = {
  ...{ beganAt: '2026-11-24T10:00:00.000Z', releaseId: 'r-0123456789ab' },
  ...{ part: 'mf-pricing', version: '1.1.0', group: 'canary', counts: {} },
};

test('canary counts: failures of all causes are summed over periods, by version and group', () => {
  const { failed, hung } = compareGroups(
    [
      { ...canary, counts: { views: 4, 'failures.load': 1, failuresNetworks: 1, begun: 3, settled: 1 } },
      { ...canary, counts: { 'failures.render': 2, 'failures.event': 3, failuresNetworks: 2, begun: 1 } },
      { ...canary, version: '1.0.0', group: 'stable', counts: { views: 50, settled: 2 } },
      { ...canary, group: 'stable', counts: { views: 7 } },
      { ...canary, version: '1.0.0', counts: { views: 8 } },
    ],
    snapshot,
  );
  assert.deepEqual(failed, {
    canary: { views: 6, failures: 6, networks: 3 },
    stable: { views: 50, failures: 0, networks: 0 },
  });
  assert.deepEqual(hung, {
    canary: { views: 4, failures: 3, networks: 0 },
    stable: { views: 0, failures: 0, networks: 0 },
  });
});

test('canary counts: a service that knows no version is recognised', () => {
  const other = { ...canary, version: 'other' };
  assert.deepEqual(
    [[], [other], [other, canary]].map((reports) => lacksVersions(reports)),
    [false, true, false],
  );
});
