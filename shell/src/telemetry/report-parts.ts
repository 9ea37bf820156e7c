import type { RemoteName } from '@countersign/contracts/remotes';
import type { PartEvent, ReportPart } from '../slot/part-event.ts';
import type { Groups } from '../canary/groups-of.ts';
import type { Telemetry } from './telemetry.ts';

/**
 * Reports what became of the parts, each version at most once as loaded, once as late and once as failed: a view counts once, however
 * many slots a remote fills and however often it throws.
 */
export function reportParts({ part }: Telemetry, groups: Groups): ReportPart {
  const reported = new Set<string>();
  return (event: PartEvent) => {
    const { remote, version, outcome } = event;
    const key = `${remote} ${version} ${outcome}`;
    if (reported.has(key)) return;
    reported.add(key);
    // The shell has no canary.
    const group = remote === 'shell' ? 'stable' : groups[remote];
    const common = { part: remote, version, group };
    if (event.outcome === 'failed') part({ ...common, outcome: 'failed', cause: event.cause });
    else if (event.outcome === 'late') part({ ...common, outcome: 'late' });
    else part({ ...common, outcome: 'loaded', milliseconds: Math.round(event.milliseconds) });
  };
}

/**
 * Reports that the version of this visitor's group begins to load, once per remote. What takes the place of a version that
 * failed is not reported.
 *
 * @param compared remotes whose canary is compared with the stable version
 */
export function reportBegun(
  { part }: Telemetry,
  groups: Groups,
  compared: ReadonlySet<RemoteName>,
): (remote: RemoteName, version: string) => void {
  const reported = new Set<RemoteName>();
  return (remote, version) => {
    if (!compared.has(remote) || reported.has(remote)) return;
    reported.add(remote);
    part({ part: remote, version, group: groups[remote], outcome: 'begun' });
  };
}
