import type { FailureCause } from '../page-reports/page-report.ts';
import type { PartName } from './remotes.ts';

/** Outcome of loading or rendering a version in one slot, or an error in its code outside of rendering. */
export type PartEvent = {
  /** Also `shell`, which reports its own errors as well. */
  readonly remote: PartName;
  readonly version: string;
} & (
  | { readonly outcome: 'loaded'; readonly exposed: string; readonly milliseconds: number }
  /** Loading takes longer than `lateThreshold` of the shell. The version may still load or fail. */
  | { readonly outcome: 'late'; readonly exposed: string }
  | {
      readonly outcome: 'failed';
      readonly cause: FailureCause;
      readonly error: unknown;
      /** Unknown for errors outside of rendering. */
      readonly exposed?: string;
    }
);

/**
 * Path to which pages send their reports (`POST`), relative to the site's origin. Not in `page-report.ts`, whose schema library the
 * page would load.
 */
export const pageReportPath = '/api/page-reports';
