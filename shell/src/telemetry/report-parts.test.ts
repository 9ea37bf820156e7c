import { remoteNames } from '@countersign/contracts/remotes';
import type { PartReport } from '@countersign/contracts/telemetry';
import type { VariantAssignment } from '../canary/assign-variants.ts';
import { reportLoadStarts, reportParts } from './report-parts.ts';

const stable = Object.fromEntries(remoteNames.map((remote) => [remote, 'stable'])) as VariantAssignment;
const variants = { ...stable, 'mf-pricing': 'canary' } as const;

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
