import * as z from 'zod/mini';
import { deliveryKinds, deliveryStates } from '../database/tables.ts';
import { leadView, utcTime } from '../lead-admin/lead-view.ts';
import { relatedLead } from '../lead-admin/related-leads.ts';

const count = z.int().check(z.gte(0));

const attempt = z
  .object({
    id: z.string(),
    outboxId: z.string(),
    number: count,
    startedAt: utcTime,
    latencyMs: z.number(),
    outcome: z.enum(['delivered', 'failed', 'skipped']),
    status: z.nullable(z.int()),
    answer: z.string(),
  })
  .register(z.globalRegistry, { id: 'DeliveryAttempt' });

const delivery = z.object({
  id: z.string(),
  kind: z.enum(deliveryKinds),
  target: z.string(),
  state: z.enum(deliveryStates),
  attempts: count,
  nextAttemptAt: utcTime,
  createdAt: utcTime,
  finishedAt: z.nullable(utcTime),
});

export const leadPage = z
  .object({
    leads: z.array(leadView),
    next: z.nullable(z.string().check(z.describe('`after` of the next page.'))),
  })
  .register(z.globalRegistry, { id: 'LeadPage' });

export const leadFile = z
  .object({
    lead: leadView,
    deliveries: z.array(z.extend(delivery, { tries: z.array(attempt) })),
    history: z.array(
      z.object({
        id: z.string(),
        at: utcTime,
        actor: z.string(),
        action: z.string(),
        leadId: z.nullable(z.string()),
        details: z.string().check(z.describe('JSON object.')),
      }),
    ),
  })
  .register(z.globalRegistry, { id: 'LeadFile' });

export const deadLetters = z.object({
  deadLetters: z.array(
    z
      .object({
        id: z.string().check(z.describe('Id of the delivery, not of the lead.')),
        leadId: z.string(),
        kind: z.enum(deliveryKinds),
        target: z.string(),
        attempts: count,
        createdAt: utcTime,
        finishedAt: z.nullable(utcTime),
        lastStatus: z.nullable(z.int()),
        lastAnswer: z.nullable(z.string()),
      })
      .register(z.globalRegistry, { id: 'DeadLetter' }),
  ),
});

const addressHash = z.string();

export const personFile = z
  .object({
    email: z.string(),
    exportedAt: utcTime,
    leads: z.array(leadView),
    deliveries: z.array(
      z.extend(delivery, {
        leadId: z.string(),
        leasedUntil: z.nullable(utcTime),
        withheld: z.nullable(z.string()),
      }),
    ),
    attempts: z.array(attempt),
    idempotencyRecords: z.array(
      z.object({
        key: z.string(),
        fingerprint: z.string(),
        leadId: z.string(),
        answerStatus: z.int(),
        createdAt: utcTime,
        expiresAt: utcTime,
      }),
    ),
    confirmations: z.array(z.object({ addressHash, day: z.string(), outboxId: z.string() })),
    suppression: z.nullable(z.object({ addressHash, reason: z.string(), createdAt: utcTime })),
    erasure: z.nullable(z.object({ addressHash, erasedAt: utcTime })),
    spooled: z.array(leadView),
  })
  .register(z.globalRegistry, { id: 'PersonFile' });

export const erasedPerson = z.object({
  leads: count,
  spooled: count,
  related: z
    .nullable(z.array(relatedLead))
    .check(
      z.describe(
        'Leads of other addresses that may be about the person. They were not erased. null if the search for them failed.',
      ),
    ),
});
