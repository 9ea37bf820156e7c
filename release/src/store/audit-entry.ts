import { createHash } from 'node:crypto';
import * as z from 'zod/mini';

/** Where a change comes from. The issuer of the releaser's token vouches for it. */
const knownOrigin = z.object({
  /** `owner/name`, or the path of the project. */
  repository: z.optional(z.string()),
  /** Hash of the commit that the pipeline ran for. */
  commit: z.optional(z.string()),
  /** File and ref of the pipeline's workflow. */
  workflow: z.optional(z.string()),
});
export type ChangeOrigin = z.infer<typeof knownOrigin>;
/** Keeps unknown fields of later versions of this tool, because the hash of an entry covers them. */
export const changeOrigin: z.ZodMiniType<ChangeOrigin> = z.looseObject(knownOrigin.shape);

/** `acme/pricing@0123456789`; `undefined` if the origin has neither repository nor commit. */
export function originText({ repository, commit }: ChangeOrigin = {}): string | undefined {
  if (commit === undefined) return repository;
  return `${repository ?? ''}@${commit.slice(0, 10)}`;
}

const changeFields = {
  /** ISO 8601, UTC. */
  at: z.string(),
  /** Name of the releaser. */
  who: z.string(),
  /** Missing in older entries, and for releasers without a token of an issuer. */
  origin: z.optional(changeOrigin),
  action: z.enum(['promote', 'canary', 'rollback', 'withdraw', 'reinstate', 'compose', 'restore']),
  /** The changed part. Missing if only the configuration or the composer changed. */
  part: z.optional(z.string()),
  /** Versions before and after, with the percentage of a canary: `1.0.0, 1.1.0 for 10 %`. */
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  /** Versions of the part that this change withdraws. */
  withdrawn: z.optional(z.array(z.string())),
  /** A withdrawn version of the part that is allowed again. */
  reinstated: z.optional(z.string()),
  /** Reason, written by the releaser. */
  why: z.optional(z.string()),
  /** Messages of the violations that the releaser forced. */
  forced: z.optional(z.array(z.string())),
} as const;

/** A change of the page, as the log records it. */
export type AuditedChange = z.infer<z.ZodMiniObject<typeof changeFields>>;

/** An entry of the log. The log is a hash chain: each entry contains the hash of the one before. */
const knownEntry = z.object({
  /** Counts from 1. */
  sequence: z.number(),
  ...changeFields,
  /** The resulting release. */
  releaseId: z.string(),
  /** SHA-256 of the pages of that release, in hexadecimal. The release ID contains its first 12 digits. */
  releaseHash: z.string(),
  /** Hash of the previous entry; zeros for the first one. */
  previousHash: z.string(),
  /** SHA-256 of all other fields, in hexadecimal. */
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof knownEntry>;
/** Keeps unknown fields of later versions of this tool, because the hash covers them. */
export const auditEntry: z.ZodMiniType<AuditEntry> = z.looseObject(knownEntry.shape);

const genesisHash = '0'.repeat(64);

/** Creates the entry that follows `last`. */
export function nextEntry(
  last: AuditEntry | undefined,
  change: AuditedChange,
  release: Pick<AuditEntry, 'releaseId' | 'releaseHash'>,
): AuditEntry {
  const content = {
    sequence: (last?.sequence ?? 0) + 1,
    ...change,
    ...release,
    previousHash: last?.hash ?? genesisHash,
  };
  return { ...content, hash: hashOf(content) };
}

/** Sequence number of the first entry that breaks the hash chain; `undefined` if the chain is intact. */
export function firstBrokenEntry(entries: readonly AuditEntry[]): number | undefined {
  let previousHash = genesisHash;
  for (const [index, entry] of entries.entries()) {
    const follows = entry.sequence === index + 1 && entry.previousHash === previousHash;
    if (!follows || !isIntact(entry)) return index + 1;
    previousHash = entry.hash;
  }
  return undefined;
}

/** Whether an entry matches its hash. */
export function isIntact({ hash, ...content }: AuditEntry): boolean {
  return hash === hashOf(content);
}

/** Hashes sorted fields, so that their order does not matter, also not that of the fields of an origin. JSON drops `undefined`. */
function hashOf(content: Omit<AuditEntry, 'hash'>): string {
  const fields = Object.entries(content)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(fields, withSortedFields)).digest('hex');
}

function withSortedFields(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
