import type { LeadFields, LeadType } from '@countersign/contracts/lead';
import { inFlight, keyReused, storeUnavailable } from './errors.ts';
import type { Log } from './log.ts';
import { idempotencyRecord } from './store/idempotency-record.ts';
import type { LeadStore, StoreOutcome } from './store/lead-store.ts';
import type { LeadRow, OutboxRow } from './store/tables.ts';

/** A lead that may be accepted. */
export interface Arrival {
  readonly lead: LeadRow;
  readonly fields: LeadFields;
  /** What makes a repetition harmless, if its sender chose something. */
  readonly idempotencyKey: string | undefined;
}

/** What its sender is told. */
export interface Receipt {
  /** The lead that was stored, at this or at an earlier attempt. */
  readonly leadId: string;
  readonly type: LeadType;
  readonly status: number;
  /** The answer is that of an earlier attempt. */
  readonly replayed: boolean;
}

export interface Intake {
  /** Resolves once the lead is durably stored, or throws the answer that says why it is not. */
  accept(arrival: Arrival): Promise<Receipt>;
}

/** @param outboxOf what is to be sent because of a lead */
export function createIntake(
  store: Pick<LeadStore, 'add'>,
  outboxOf: (lead: LeadRow) => readonly OutboxRow[],
  log: Log,
): Intake {
  const keysInFlight = new Set<string>();
  return {
    async accept({ lead, fields, idempotencyKey }) {
      const idempotency = idempotencyRecord(lead.type, fields, lead.receivedAt, idempotencyKey);
      if (idempotencyKey === undefined) return add();
      if (keysInFlight.has(idempotency.key)) throw inFlight();
      keysInFlight.add(idempotency.key);
      try {
        return await add();
      } finally {
        keysInFlight.delete(idempotency.key);
      }

      async function add(): Promise<Receipt> {
        const outcome = await store.add({ lead, idempotency, outbox: outboxOf(lead) });
        const receipt = receiptOf(lead, outcome);
        log.info(receipt.replayed ? 'lead repeated' : 'lead stored', {
          lead: receipt.leadId,
          type: lead.type,
          status: receipt.status,
        });
        return receipt;
      }
    },
  };
}

function receiptOf({ id, type }: LeadRow, outcome: StoreOutcome): Receipt {
  switch (outcome.kind) {
    case 'stored':
      return { leadId: id, type, status: 201, replayed: false };
    case 'spooled':
      return { leadId: id, type, status: 202, replayed: false };
    case 'repeated':
      return { leadId: outcome.leadId, type, status: outcome.answerStatus, replayed: true };
    case 'key-reused':
      throw keyReused();
    case 'unavailable':
      throw storeUnavailable();
  }
}
