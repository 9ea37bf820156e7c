import type { Acceptance, AcceptedLead } from './accept-leads.ts';

/**
 * Adds to {@link Acceptance}: `spooled`: committed on this machine, because the shared database is away; it moves over
 * by itself. `unavailable`: nothing could take it now. Of a commit whose answer was lost nobody knows what became of it:
 * a repetition finds out.
 */
export type StoreOutcome = Acceptance | { readonly kind: 'spooled' } | { readonly kind: 'unavailable' };

export interface LeadStore {
  /** Commits a lead, together with those that arrive at the same time. Whatever is not an outcome is thrown. */
  add(lead: AcceptedLead): Promise<StoreOutcome>;
  /** How many leads wait on this machine for the shared database. */
  spoolDepth(): Promise<number>;
  /** Finishes what has been added. The databases are closed by whoever opened them. */
  stop(): Promise<void>;
}

/** How many leads are committed together. More would make the first wait for the last without making anything faster. */
export const mostAtOnce = 128;

/** Is told of every commit of leads, and where they are then. */
export type CommitObserver = (commit: {
  readonly place: 'database' | 'spool';
  readonly leads: number;
  readonly seconds: number;
}) => void;

/** Commits a group, and tells how long that took. */
export async function timed<Result>(
  observe: CommitObserver,
  place: 'database' | 'spool',
  { length: leads }: readonly AcceptedLead[],
  commit: () => Promise<Result>,
): Promise<Result> {
  const begun = performance.now();
  const result = await commit();
  observe({ place, leads, seconds: (performance.now() - begun) / 1_000 });
  return result;
}
