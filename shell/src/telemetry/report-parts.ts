import { brand } from '@countersign/contracts/brand';
import type { RemoteName } from '@countersign/contracts/remotes';
import type { PartEvent, ReportPart } from '../slot/part-event.ts';
import type { VariantAssignment } from '../canary/assign-variants.ts';
import type { Telemetry } from './telemetry.ts';

const reportedFailuresKey = `${brand.toLowerCase()}-reported-failures`;
/** Failures that a browser remembers. */
const maxReportedFailures = 32;

/**
 * Reports part events. Each version counts at most once per outcome and page view, however many slots use it
 * and however often it throws. A failure is reported once per visitor, because page views of one visitor with an
 * unusual browser are not independent.
 */
export function reportParts({ part }: Telemetry, variants: VariantAssignment): ReportPart {
  const reported = new Set<string>();
  return (event: PartEvent) => {
    const { remote, version, outcome } = event;
    const isMismatch = outcome === 'failed' && event.cause === 'mismatch';
    const key = `${remote} ${version} ${isMismatch ? 'mismatch' : outcome}`;
    if (reported.has(key)) return;
    reported.add(key);
    // The shell has no canary.
    const group = remote === 'shell' ? 'stable' : variants[remote];
    const common = { part: remote, version, group };
    if (event.outcome === 'failed') {
      if (!wasReported(key)) part({ ...common, outcome: 'failed', cause: event.cause });
      // Without a report, the view would count as hung.
      else if (event.cause === 'load') part({ ...common, outcome: 'left' });
    } else if (event.outcome === 'late') part({ ...common, outcome: 'late' });
    else part({ ...common, outcome: 'loaded', milliseconds: Math.round(event.milliseconds) });
  };
}

/** Whether an earlier page view has reported this failure. Remembers it, if the browser has storage. */
function wasReported(failure: string): boolean {
  try {
    const known = localStorage.getItem(reportedFailuresKey)?.split('\n') ?? [];
    if (known.includes(failure)) return true;
    const kept = [...known, failure].slice(-maxReportedFailures);
    localStorage.setItem(reportedFailuresKey, kept.join('\n'));
  } catch {
    // Without storage, each page view reports.
  }
  return false;
}

/**
 * Reports the first load start of each compared remote. Loads of fallback versions are not reported.
 *
 * @param compared remotes whose canary is compared with the stable version
 */
export function reportLoadStarts(
  { part }: Telemetry,
  variants: VariantAssignment,
  compared: ReadonlySet<RemoteName>,
): (remote: RemoteName, version: string) => void {
  const reported = new Set<RemoteName>();
  return (remote, version) => {
    if (!compared.has(remote) || reported.has(remote)) return;
    reported.add(remote);
    part({ part: remote, version, group: variants[remote], outcome: 'begun' });
  };
}
