import type { RemoteName } from '@countersign/contracts/remotes';
import type { PartEvent, ReportPart } from '../slot/part-event.ts';
import type { VariantAssignment } from '../canary/assign-variants.ts';
import type { Telemetry } from './telemetry.ts';

/**
 * Reports part events. Each version counts at most once per outcome and page view, however many slots use it
 * and however often it throws.
 */
export function reportParts({ part }: Telemetry, variants: VariantAssignment): ReportPart {
  const reported = new Set<string>();
  return (event: PartEvent) => {
    const { remote, version, outcome } = event;
    const key = `${remote} ${version} ${outcome}`;
    if (reported.has(key)) return;
    reported.add(key);
    // The shell has no canary.
    const group = remote === 'shell' ? 'stable' : variants[remote];
    const common = { part: remote, version, group };
    if (event.outcome === 'failed') part({ ...common, outcome: 'failed', cause: event.cause });
    else if (event.outcome === 'late') part({ ...common, outcome: 'late' });
    else part({ ...common, outcome: 'loaded', milliseconds: Math.round(event.milliseconds) });
  };
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
