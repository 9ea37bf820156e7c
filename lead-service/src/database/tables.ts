import { type LeadFields, leadTypes } from '@countersign/contracts/lead';
import { leadAttribution } from '@countersign/contracts/lead-submission';
import type { CanaryGroup } from '@countersign/contracts/page-report';
import * as z from 'zod';

export type DeliveryKind = 'sales-mail' | 'webhook';

/**
 * `held`: the lead is in quarantine. `pending`: to be sent or retried. `done`: sent. `dead`: failed after the last attempt; an operator
 * must replay or discard it. `discarded`: given up by an operator.
 */
type DeliveryState = 'held' | 'pending' | 'done' | 'dead' | 'discarded';

/*
 * Rows as queries see them. Columns are in snake case: `receivedAt` is `received_at`. Times are ISO 8601 text in UTC
 * with milliseconds, so they sort as text. Identifiers are UUIDs of version 7.
 */

/** The fields of the form. The compiler reports one that is missing here. */
const sentFields = {
  name: z.string(),
  email: z.string(),
  company: z.string().nullable(),
  message: z.string(),
} satisfies Readonly<Record<keyof LeadFields, z.ZodType<string | null>>>;

/**
 * A stored lead. Views, exports and imports are derived from it. Webhooks and mails name the fields that they have. A field that is added
 * needs a default, here and in its migration, because backups and spools of earlier versions lack it.
 */
export const leadSchema = z.object({
  /** A UUID of version 7, which sorts by the time of receipt. */
  id: z.uuid(),
  type: z.enum(leadTypes),
  receivedAt: z.iso.datetime(),
  ...sentFields,
  attribution: leadAttribution,
  /** Release of the page that the sender saw, if known. Also in `attribution`. */
  releaseId: z.string().nullable(),
  spamScore: z.int(),
  /** Reasons for the score. */
  spamReasons: z.array(z.string()),
  /** Start of the quarantine, during which nothing is sent. Null for a lead that is not held. */
  quarantinedAt: z.iso.datetime().nullable(),
});

export type LeadView = Readonly<z.output<typeof leadSchema>>;

/** A lead as a row. */
export interface LeadRow extends Omit<LeadView, 'attribution' | 'spamReasons'> {
  /** JSON. */
  readonly attribution: string;
  /** JSON. */
  readonly spamReasons: string;
}

export interface StoredLeadRow extends LeadRow {
  /** Name, company and message in one case and form, to search in. Written with the lead. */
  readonly searchText: string;
}

/** Makes repeated submissions one lead. Written in the lead's own transaction. */
export interface IdempotencyRecordRow {
  /** `key:` and the hash of the sender's key, `same:` and the hash of the content, or `lead:` and the id of the lead. */
  readonly key: string;
  /** SHA-256 of the content, in hexadecimal. */
  readonly fingerprint: string;
  readonly leadId: string;
  /** HTTP status of the answer, which a repeated submission gets again. */
  readonly answerStatus: number;
  readonly createdAt: string;
  /** From this time on, the key is free again. */
  readonly expiresAt: string;
}

/** A delivery of the outbox, written in the lead's own transaction. */
export interface OutboxRow {
  /** Id of the delivery, also its `webhook-id` and part of its `Message-ID`: the same for every attempt. */
  readonly id: string;
  readonly leadId: string;
  readonly kind: DeliveryKind;
  /** Name of the webhook endpoint; empty for mail. */
  readonly target: string;
  readonly state: DeliveryState;
  /** Since the receipt, or the last hold or replay. Leaves out attempts that a stop of the service interrupted. */
  readonly attempts: number;
  readonly nextAttemptAt: string;
  /** End of the lease of the instance that sends it. An instance may have died with the lease. */
  readonly leasedUntil: string | null;
  /** When its lead was received. Alarms count from then, also after a quarantine or a replay. */
  readonly createdAt: string;
  /** When it became `done` or `dead`. */
  readonly finishedAt: string | null;
}

export interface DeliveryAttemptRow {
  readonly id: string;
  readonly outboxId: string;
  /** Counts from 1. */
  readonly number: number;
  readonly startedAt: string;
  readonly latencyMs: number;
  readonly outcome: 'delivered' | 'failed';
  /** HTTP or SMTP status of the response, if there was one. */
  readonly status: number | null;
  /** Response of the receiver, or the reason why there was none. Truncated. */
  readonly answer: string;
}

/** Erased addresses, so that an older lead in a spool does not restore erased data. */
export interface ErasureRow {
  readonly addressHash: string;
  readonly erasedAt: string;
}

/** A count of the reports that pages have sent on a version. Holds no personal data. */
export interface PageReportRow {
  /** Start of ten minutes. */
  readonly beganAt: string;
  /** Release of the page, or `other`, as for versions. */
  readonly releaseId: string;
  readonly part: string;
  /** A version that is or was live, previous or canary; `other` stands for all that are unknown. */
  readonly version: string;
  readonly visitors: CanaryGroup;
  /** Name of the count, such as `views` or `failed.load`. */
  readonly measure: string;
  readonly count: number;
}

/** One row. */
interface RetentionClockRow {
  /** The latest time at which retention ran, by a clock that it trusted if leads have a limit. */
  readonly seenAt: string;
}

/** Points of a key within its window. Only in PostgreSQL, whose instances share them. Holds no personal data, but keyed hashes. */
interface CounterRow {
  readonly key: string;
  readonly points: number;
  /** End of the window. */
  readonly endsAt: string;
}

export interface Tables {
  leads: StoredLeadRow;
  idempotencyRecords: IdempotencyRecordRow;
  outbox: OutboxRow;
  deliveryAttempts: DeliveryAttemptRow;
  erasures: ErasureRow;
  pageReports: PageReportRow;
  retentionClock: RetentionClockRow;
  counters: CounterRow;
}
