import type { PartReport } from '@countersign/contracts/page-report';
import { reportParts } from './report-parts.ts';

const version = { remote: 'mf-pricing', exposed: './pricing', version: '1.1.0' } as const;
const error = new Error('no plans');

function sentBy(
  groups: Parameters<typeof reportParts>[1],
  ...events: Parameters<ReturnType<typeof reportParts>>[0][]
) {
  const sent: PartReport[] = [];
  const report = reportParts({ part: (it) => sent.push(it), vital: () => undefined }, groups);
  for (const event of events) report(event);
  return sent;
}

test("part reports: an event is a version's view, and its failure unless it has loaded", () => {
  const sent = sentBy(
    { 'mf-pricing': 'canary', shell: 'stable' },
    { ...version, outcome: 'loaded', milliseconds: 12.6 },
    { ...version, outcome: 'late' },
    { ...version, outcome: 'failed', cause: 'render', error },
    { remote: 'shell', version: '2.0.0', outcome: 'failed', cause: 'event', error },
  );
  const canary = { part: 'mf-pricing', version: '1.1.0', group: 'canary' };
  const shell = { part: 'shell', version: '2.0.0', group: 'stable' };
  expect(sent.filter(({ measure }) => measure === 'failed')).toEqual([
    { ...canary, measure: 'failed', cause: 'late' },
    { ...canary, measure: 'failed', cause: 'render' },
    { ...shell, measure: 'failed', cause: 'event' },
  ]);
  expect(sent.filter(({ measure }) => measure === 'viewed')).toHaveLength(4);
});

test('part reports: a remote whose canary this visitor cannot get is left out', () => {
  expect(sentBy({}, { ...version, outcome: 'loaded', milliseconds: 1 })).toEqual([]);
});
