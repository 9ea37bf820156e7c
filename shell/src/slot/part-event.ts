// blind spot: no step makes a part fail, but the tests of fill-slot do.
import type { PartEvent } from '@countersign/contracts/part-event';

/** Time after which a loading version is reported as late, in milliseconds. The slot keeps waiting for it. */
export const lateThreshold = 5000;

export type ReportPart = (event: PartEvent) => void;

/** Tells developers about a part that fails, in the console. */
export const logFailure: ReportPart = (event) => {
  if (event.outcome !== 'failed') return;
  const { remote, version, exposed, cause, error } = event;
  const failed = cause === 'mismatch' ? 'failed to hydrate.' : 'failed.';
  console.error([`${remote}@${version}`, exposed, failed].filter(Boolean).join(' '), error);
};
