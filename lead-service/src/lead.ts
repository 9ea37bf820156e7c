import type { LeadFields, LeadType } from '@countersign/contracts/lead';
import { uuidV7 } from './uuid-v7.ts';

/** A lead as it is stored. */
export interface Lead {
  /** UUID version 7: sorts by the time of receipt. */
  readonly id: string;
  readonly type: LeadType;
  readonly name: string;
  readonly email: string;
  readonly company: string | null;
  readonly message: string;
  /** ISO 8601 in UTC, with milliseconds. */
  readonly receivedAt: string;
}

/** Makes a lead of what a person sent, received now. */
export function createLead(type: LeadType, { name, email, company, message }: LeadFields): Lead {
  const now = new Date();
  return {
    id: uuidV7(now.getTime()),
    type,
    name,
    email,
    company: company || null,
    message,
    receivedAt: now.toISOString(),
  };
}
