import { createHash } from 'node:crypto';
import * as z from 'zod/mini';

const changeFields = {
  /** ISO 8601, UTC. */
  at: z.string(),
  /** Who released, as the releaser's environment names them. */
  who: z.string(),
  action: z.enum(['promote', 'canary', 'rollback', 'withdraw', 'reinstate', 'compose']),
  /** The part that changed; none when only the configuration or the composer did. */
  part: z.optional(z.string()),
  /** Versions before and after, and percentages of a canary: `1.0.0`, `1.1.0 at 10 %`. */
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  /** Versions of the part that must never be served again. */
  withdrawn: z.optional(z.array(z.string())),
  /** A version of the part that was withdrawn and may be published again. */
  reinstated: z.optional(z.string()),
  /** Why, in the releaser's words. */
  why: z.optional(z.string()),
  /** What `check` had against it, where the releaser forced it. */
  forced: z.optional(z.array(z.string())),
} as const;

/** What somebody changed about the page. */
export const auditedChange = z.object(changeFields);
export type AuditedChange = z.infer<typeof auditedChange>;

/** One change in the log. Each carries the hash of the one before, so that none can be altered or taken out unseen. */
const knownEntry = z.object({
  /** Counts from 1. */
  sequence: z.number(),
  ...changeFields,
  /** The state of the page that it led to. */
  releaseId: z.string(),
  /**
   * SHA-256, in hexadecimal, of the pages of that state, whose name is the first 12 digits of it. Entries from before it
   * was kept have none.
   */
  releaseHash: z.optional(z.string()),
  /** Hash of the entry before; of nothing for the first. */
  previousHash: z.string(),
  /** SHA-256, in hexadecimal, of everything above. */
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof knownEntry>;
/** Keeps fields that only a later releaser knows, because the hash covers them. */
export const auditEntry: z.ZodMiniType<AuditEntry> = z.looseObject(knownEntry.shape);

const nothing = '0'.repeat(64);

/** Appends a change to a log whose last entry is known. */
export function nextEntry(
  last: AuditEntry | undefined,
  change: AuditedChange,
  release: Pick<AuditEntry, 'releaseId' | 'releaseHash'>,
): AuditEntry {
  const content = {
    sequence: (last?.sequence ?? 0) + 1,
    ...change,
    ...release,
    previousHash: last?.hash ?? nothing,
  };
  return { ...content, hash: hashOf(content) };
}

/** Sequence number of the first entry that does not follow from the one before it, if there is one. */
export function brokenLink(entries: readonly AuditEntry[]): number | undefined {
  let previousHash = nothing;
  for (const [index, entry] of entries.entries()) {
    const follows = entry.sequence === index + 1 && entry.previousHash === previousHash;
    if (!follows || !isIntact(entry)) return index + 1;
    previousHash = entry.hash;
  }
  return undefined;
}

/** Whether an entry holds what it held when it was made. */
export function isIntact({ hash, ...content }: AuditEntry): boolean {
  return hash === hashOf(content);
}

/** The order of the fields does not matter. */
function hashOf(content: Omit<AuditEntry, 'hash'>): string {
  const fields = Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}
