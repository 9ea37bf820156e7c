// blind spot: reports are for teams. The tests of this file read them.
import type { GroupAssignment } from '../canary/assign-groups.ts';
import type { ReportPart } from '../slot/part-event.ts';
import type { PageReporter } from './page-reporter.ts';

/**
 * Reports part events as page views and failures of versions. Parts without a group in the assignment are left out: they have
 * a canary which this visitor cannot get, so the view would count for the stable version only.
 */
export function reportParts(reporter: PageReporter, groups: GroupAssignment): ReportPart {
  return (event) => {
    const { remote: part, version, outcome } = event;
    const group = groups[part];
    if (!group) return;
    reporter.part({ part, version, group, measure: 'viewed' });
    if (outcome === 'loaded') return;
    const cause = outcome === 'late' ? 'late' : event.cause;
    reporter.part({ part, version, group, measure: 'failed', cause });
  };
}
