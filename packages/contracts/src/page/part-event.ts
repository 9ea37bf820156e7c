import type { FailureCause } from '../page-reports/page-report.ts';
import type { PartName } from './remotes.ts';

/**
 * Name of the event that the shell dispatches on `window`, as a `CustomEvent` with a {@link PartEvent}. Any script can
 * dispatch it, so reports of visitors do not depend on it.
 */
export const partEventName = 'part';

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

/** Path to which pages send their reports (`POST`), relative to the site's origin. */
export const pageReportPath = '/api/page-reports';
