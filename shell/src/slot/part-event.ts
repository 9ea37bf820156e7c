import type { PartName } from '@countersign/contracts/remotes';
import type { FailureCause } from '@countersign/contracts/telemetry';

/**
 * Outcome of loading or rendering a version in one slot, or an error in its code outside of rendering. The
 * shell reports its own errors as well.
 */
export type PartEvent = {
  readonly remote: PartName;
  readonly version: string;
} & (
  | { readonly outcome: 'loaded'; readonly exposed: string; readonly milliseconds: number }
  /** Loading takes longer than the threshold. The version may still load or fail. */
  | { readonly outcome: 'late'; readonly exposed: string }
  | {
      readonly outcome: 'failed';
      readonly cause: FailureCause;
      readonly error: unknown;
      /** Unknown for errors outside of rendering. */
      readonly exposed?: string;
    }
);

/** Time after which a loading version is reported as late, in milliseconds. The slot keeps waiting for it. */
export const lateThreshold = 5000;

export type ReportPart = (event: PartEvent) => void;

/** Logs failures to the console. */
export const reportToConsole: ReportPart = (event) => {
  if (event.outcome !== 'failed') return;
  const { remote, version, exposed, cause, error } = event;
  const failed = cause === 'mismatch' ? 'failed to hydrate.' : 'failed.';
  console.error([`${remote}@${version}`, exposed, failed].filter(Boolean).join(' '), error);
};
