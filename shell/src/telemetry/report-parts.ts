import type { RemoteName } from '@countersign/contracts/remotes';
import type { CanaryGroup } from '@countersign/contracts/telemetry';
import type { PartEvent, ReportPart } from '../slot/part-event.ts';
import type { Telemetry } from './telemetry.ts';

/**
 * Reports what became of the parts, each version at most once as loaded and once as failed: a view counts once, however
 * many slots a remote fills and however often it throws.
 */
export function reportParts(
  { part }: Telemetry,
  groups: Readonly<Record<RemoteName, CanaryGroup>>,
): ReportPart {
  const reported = new Set<string>();
  return (event: PartEvent) => {
    const { remote, version, outcome } = event;
    const key = `${remote} ${version} ${outcome}`;
    if (reported.has(key)) return;
    reported.add(key);
    const common = { part: remote, version, group: groups[remote] };
    if (event.outcome === 'failed') part({ ...common, outcome: 'failed', cause: event.cause });
    else part({ ...common, outcome: 'loaded', milliseconds: Math.round(event.milliseconds) });
  };
}
