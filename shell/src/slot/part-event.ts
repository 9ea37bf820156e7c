import type { PartName } from '@countersign/contracts/remotes';
import type { FailureCause } from '@countersign/contracts/telemetry';

/** What became of a version of a remote in one slot, or of its code outside of rendering. The shell reports its own errors. */
export type PartEvent = {
  readonly remote: PartName;
  readonly version: string;
} & (
  | { readonly outcome: 'loaded'; readonly exposed: string; readonly milliseconds: number }
  /** It takes long to load. It may still be loaded, or fail. */
  | { readonly outcome: 'late'; readonly exposed: string }
  | {
      readonly outcome: 'failed';
      readonly cause: FailureCause;
      readonly error: unknown;
      /** Not known of what is thrown outside of rendering. */
      readonly exposed?: string;
    }
);

export type ReportPart = (event: PartEvent) => void;

/** Says in the console what failed, and whose it is. */
export const reportToConsole: ReportPart = (event) => {
  if (event.outcome !== 'failed') return;
  const { remote, version, exposed, error } = event;
  console.error(`${[`${remote}@${version}`, exposed].filter(Boolean).join(' ')} failed.`, error);
};
