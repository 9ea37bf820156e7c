import type { LeadType } from '@countersign/contracts/lead';

/** What sales has made of a lead so far. */
export const leadStatuses = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;
export type LeadStatus = (typeof leadStatuses)[number];

/** What is to be sent because of a lead. */
export const deliveryKinds = ['sales-mail', 'confirmation-mail', 'webhook'] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/**
 * `held`: the lead is in quarantine. `pending`: to be sent, or tried again. `done`: sent. `skipped`: there was a reason
 * not to send it. `dead`: given up after the last attempt; waits for a person.
 */
export const deliveryStates = ['held', 'pending', 'done', 'skipped', 'dead'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/*
 * Rows as queries see them. The columns themselves are in snake case: `receivedAt` is `received_at`. Times are text,
 * ISO 8601 in UTC with milliseconds, and so sort as they stand. Identifiers are UUIDs of version 7.
 */

export interface LeadRow {
  /** Sorts by the time of receipt. */
  readonly id: string;
  readonly type: LeadType;
  readonly name: string;
  readonly email: string;
  readonly company: string | null;
  readonly message: string;
  readonly receivedAt: string;
  readonly status: LeadStatus;
  /** JSON of a `LeadAttribution`. */
  readonly attribution: string;
  /** State of the page that the sender saw, if known. Also in `attribution`. */
  readonly releaseId: string | null;
  readonly spamScore: number;
  /** JSON of the reasons for the score: a list of texts. */
  readonly spamReasons: string;
  /** Since when nothing is sent because of it. Null for a lead that is not held back. */
  readonly quarantinedAt: string | null;
  /** When what the person typed was taken out of it. The row stays, so that counts stay. */
  readonly erasedAt: string | null;
}

/** Makes one lead of any number of repetitions. Written in the lead's own transaction. */
export interface IdempotencyRecordRow {
  /** `key:` and what the sender chose, or `same:` and the hash of what was sent. */
  readonly key: string;
  /** SHA-256 of what was sent, in hexadecimal. */
  readonly fingerprint: string;
  readonly leadId: string;
  /** Status that the first attempt was answered with. */
  readonly answerStatus: number;
  readonly createdAt: string;
  /** From then on the key is as good as new. */
  readonly expiresAt: string;
}

/** Something to be sent, written in the lead's own transaction. */
export interface OutboxRow {
  /** Also the `webhook-id`, and part of the `Message-ID`: the same for every attempt. */
  readonly id: string;
  readonly leadId: string;
  readonly kind: DeliveryKind;
  /** Name of the webhook endpoint; empty for mail. */
  readonly target: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAttemptAt: string;
  /** Until then the instance that took it is sending it, or has died doing so. */
  readonly leasedUntil: string | null;
  /** Since when it is to be sent: from the beginning, from its release out of quarantine, or from a replay. */
  readonly createdAt: string;
  /** When it became `done`, `skipped` or `dead`. */
  readonly finishedAt: string | null;
}

export interface DeliveryAttemptRow {
  readonly id: string;
  readonly outboxId: string;
  /** Counts from 1. */
  readonly number: number;
  readonly startedAt: string;
  readonly latencyMs: number;
  readonly outcome: 'delivered' | 'failed' | 'skipped';
  /** HTTP or SMTP status, if the other side gave one. */
  readonly status: number | null;
  /** What the other side said, or why there was no answer. Cut off. */
  readonly answer: string;
}

/** At most one confirmation per address and day, by the primary key. */
export interface ConfirmationDayRow {
  readonly addressHash: string;
  /** `2026-11-21`, in UTC. */
  readonly day: string;
  readonly outboxId: string;
}

/** Addresses that get no confirmation. */
export interface SuppressedAddressRow {
  readonly addressHash: string;
  readonly reason: string;
  readonly createdAt: string;
}

/** Whose data was erased, so that a lead from before that still waits in a spool is not brought back. */
export interface ErasureRow {
  readonly addressHash: string;
  readonly erasedAt: string;
}

/** Who has read or changed what. Never holds what a visitor typed. Only the count of failed logins changes, for a minute. */
export interface AuditEntryRow {
  readonly id: string;
  readonly at: string;
  /** Name of the token, or `cli:` and the user of the machine. */
  readonly actor: string;
  /** `lead.read`, `lead.set-status` … */
  readonly action: string;
  readonly leadId: string | null;
  /** JSON object. */
  readonly details: string;
}

/** Finds the entries of the audit log that name a lead among others, in their `details`. */
export interface AuditedLeadRow {
  readonly leadId: string;
  readonly entryId: string;
}

/** Sessions of the inbox that were ended before they expired. */
export interface EndedSessionRow {
  readonly id: string;
  /** When it would have expired. */
  readonly expiresAt: string;
}

/** When a job last ran. */
export interface JobRunRow {
  readonly job: string;
  readonly ranAt: string;
}

/** Table of the rate limiter, in the shape that `rate-limiter-flexible` asks for. */
export interface RateLimitRow {
  readonly key: string;
  readonly points: number;
  readonly expire: number | null;
}

export interface Tables {
  leads: LeadRow;
  idempotencyRecords: IdempotencyRecordRow;
  outbox: OutboxRow;
  deliveryAttempts: DeliveryAttemptRow;
  confirmationDays: ConfirmationDayRow;
  suppressedAddresses: SuppressedAddressRow;
  erasures: ErasureRow;
  auditEntries: AuditEntryRow;
  auditedLeads: AuditedLeadRow;
  endedSessions: EndedSessionRow;
  jobRuns: JobRunRow;
  rateLimits: RateLimitRow;
}
