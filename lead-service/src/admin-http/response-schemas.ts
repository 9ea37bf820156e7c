import { leadAttribution, leadTypes } from '@countersign/contracts/lead';
import * as z from 'zod/mini';
import { deliveryKinds, deliveryStates, leadStatuses } from '../database/tables.ts';

const time = z.string().check(z.meta({ format: 'date-time', description: 'ISO 8601 in UTC.' }));
const count = z.int().check(z.gte(0));

const lead = z
  .object({
    id: z.string(),
    type: z.enum(leadTypes),
    status: z.enum(leadStatuses),
    receivedAt: time,
    name: z.string(),
    email: z.string(),
    company: z.nullable(z.string()),
    message: z.string(),
    attribution: leadAttribution,
    releaseId: z.nullable(z.string()),
    spamScore: z.number(),
    spamReasons: z.array(z.string()),
    quarantinedAt: z.nullable(time),
    erasedAt: z.nullable(time),
  })
  .register(z.globalRegistry, { id: 'Lead' });

const attempt = z
  .object({
    id: z.string(),
    outboxId: z.string(),
    number: count,
    startedAt: time,
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
  nextAttemptAt: time,
  createdAt: time,
  finishedAt: z.nullable(time),
});

export const leadPage = z
  .object({
    leads: z.array(lead),
    next: z.nullable(z.string().check(z.describe('`after` of the next page.'))),
  })
  .register(z.globalRegistry, { id: 'LeadPage' });

export const leadFile = z
  .object({
    lead,
    deliveries: z.array(z.extend(delivery, { tries: z.array(attempt) })),
    history: z.array(
      z.object({
        id: z.string(),
        at: time,
        actor: z.string(),
        action: z.string(),
        leadId: z.nullable(z.string()),
        details: z.string().check(z.describe('JSON object.')),
      }),
    ),
  })
  .register(z.globalRegistry, { id: 'LeadFile' });

const counts = z.array(z.object({ name: z.string(), count }));

export const leadStats = z
  .object({
    byType: counts,
    byStatus: counts,
    byDay: counts,
    quarantined: count,
    erased: count,
    deliveries: counts,
    oldestUndelivered: z.nullable(time),
    spooled: count,
  })
  .register(z.globalRegistry, { id: 'LeadStats' });

export const deadLetters = z.object({
  deadLetters: z.array(
    z
      .object({
        id: z.string().check(z.describe('Id of the delivery, not of the lead.')),
        leadId: z.string(),
        kind: z.enum(deliveryKinds),
        target: z.string(),
        attempts: count,
        createdAt: time,
        finishedAt: z.nullable(time),
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
    exportedAt: time,
    leads: z.array(lead),
    deliveries: z.array(z.extend(delivery, { leadId: z.string(), leasedUntil: z.nullable(time) })),
    attempts: z.array(attempt),
    idempotencyRecords: z.array(
      z.object({
        key: z.string(),
        fingerprint: z.string(),
        leadId: z.string(),
        answerStatus: z.int(),
        createdAt: time,
        expiresAt: time,
      }),
    ),
    confirmations: z.array(z.object({ addressHash, day: z.string(), outboxId: z.string() })),
    suppression: z.nullable(z.object({ addressHash, reason: z.string(), createdAt: time })),
    erasure: z.nullable(z.object({ addressHash, erasedAt: time })),
    spooled: z.array(lead),
  })
  .register(z.globalRegistry, { id: 'PersonFile' });

export const erasedPerson = z.object({ leads: count, spooled: count });
