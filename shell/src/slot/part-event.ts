import { partEventName, type PartEvent } from '@countersign/contracts/part-event';

/** Time after which a loading version is reported as late, in milliseconds. The slot keeps waiting for it. */
export const lateThreshold = 5000;

export type ReportPart = (event: PartEvent) => void;

/** Tells developers about a part: a line in the console for a failure, and an event on `window` for each outcome. */
export const announcePart: ReportPart = (detail) => {
  dispatchEvent(new CustomEvent(partEventName, { detail }));
  if (detail.outcome !== 'failed') return;
  const { remote, version, exposed, cause, error } = detail;
  const failed = cause === 'mismatch' ? 'failed to hydrate.' : 'failed.';
  console.error([`${remote}@${version}`, exposed, failed].filter(Boolean).join(' '), error);
};
