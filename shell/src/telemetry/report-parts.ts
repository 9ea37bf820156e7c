import { brand } from '@countersign/contracts/brand';
import type { PartEvent } from '@countersign/contracts/part-event';
import type { RemoteName } from '@countersign/contracts/remotes';
import type { ReportPart } from '../slot/part-event.ts';
import type { VariantAssignment } from '../canary/assign-variants.ts';
import type { Telemetry } from './telemetry.ts';

const reportedFailuresKey = `${brand.toLowerCase()}-reported-failures`;
/** Maximum number of failures that a browser remembers. */
const maxReportedFailures = 32;
/** How long it remembers them, in milliseconds: the period in which the lead service counts a network once. */
const rememberedFor = 60 * 60_000;

/**
 * Reports part events. Each version counts at most once per outcome and page view, however many slots use it
 * and however often it throws. A failure is reported once per visitor, version, cause and hour, because page views of one
 * visitor with an unusual browser are not independent. A longer period would make the live version, which returning visitors
 * know, seem to fail less than a new one.
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
      if (!wasReported(`${remote} ${version} ${event.cause}`))
        part({ ...common, outcome: 'failed', cause: event.cause });
      // Without any report after the start of the load, the view would count as hung.
      else if (event.cause === 'load') part({ ...common, outcome: 'left' });
    } else if (event.outcome === 'late') part({ ...common, outcome: 'late' });
    else part({ ...common, outcome: 'loaded', milliseconds: Math.round(event.milliseconds) });
  };
}

/** Whether this visitor's page views have reported a failure lately. Remembers it, if the browser has storage. */
function wasReported(failure: string): boolean {
  const now = Date.now();
  // The storage has one failure a line, after its time: `1764079200000 mf-pricing 1.2.0 render`.
  const isRecent = (line: string) => {
    const age = now - Number.parseInt(line, 10);
    return age >= 0 && age < rememberedFor;
  };
  try {
    const known = (localStorage.getItem(reportedFailuresKey)?.split('\n') ?? []).filter(isRecent);
    if (known.some((line) => line.replace(/^\d+ /, '') === failure)) return true;
    const kept = [...known, `${now} ${failure}`].slice(-maxReportedFailures);
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
