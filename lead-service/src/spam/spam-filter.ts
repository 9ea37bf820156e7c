import { hash as hashOnce } from 'node:crypto';
import { trapField, type LeadBackground, type LeadFields, type LeadType } from '@countersign/contracts/lead';
import type { SpamVerdict } from '../lead.ts';
import { fingerprintOf } from '../store/idempotency-record.ts';
import type { Challenges } from './challenges.ts';
import { countDistinct } from './count-distinct.ts';
import { openOwnCounter, type OpenCounter } from './counters.ts';
import { tokenLifetime, type FormTokens, type FormTokenState } from './form-token.ts';
import type { KeyedHash } from './keyed-hash.ts';
import { scoreLead, type Evidence } from './score-lead.ts';

/** A lead that its sender may send, before it is stored. */
export interface Submission {
  readonly type: LeadType;
  readonly fields: LeadFields;
  readonly background: LeadBackground;
}

/** Gathers what speaks for and against a lead, and scores it. */
export type LeadJudge = (submission: Submission) => Promise<SpamVerdict>;

const day = 24 * 60 * 60;

export function createLeadJudge(
  tokens: FormTokens,
  challenges: Challenges,
  open: OpenCounter,
  hash: KeyedHash,
): LeadJudge {
  // Each instance counts these alone: a wave of spam reaches all of them, and a row for each message would cost as much
  // as the lead itself.
  const messages = openOwnCounter('message', day);
  const forms = openOwnCounter('form', tokenLifetime / 1000);
  const proofs = open('proof', tokenLifetime / 1000);

  /** A proof is good for one lead, however often that one has to be sent until it arrives. */
  async function lookAtProof(
    form: FormTokenState,
    proof: string | undefined,
    lead: string,
  ): Promise<Evidence['proof']> {
    if (form.kind !== 'good' || !form.challenged) return 'not-asked';
    if (proof === undefined) return 'missing';
    if (!(await challenges.isSolved(form.id, proof))) return 'wrong';
    return (await countDistinct(proofs, form.id, hash(lead))) > 1 ? 'used' : 'solved';
  }

  return async ({ type, fields, background }) => {
    // The same at each attempt to send it: that somebody has to try again is no sign of spam.
    const lead = fingerprintOf(type, fields);
    const text = hashOnce('sha256', fields.message.toLowerCase().replaceAll(/\s+/g, ' '));
    const form = tokens.read(background.formToken);
    const [sameMessage, sentWithForm, proof] = await Promise.all([
      countDistinct(messages, text, lead),
      form.kind === 'good' ? countDistinct(forms, form.id, lead) : 0,
      lookAtProof(form, background.proof, lead),
    ]);
    return scoreLead({
      fields,
      trap: background[trapField],
      form,
      proof,
      sentWithForm,
      sameMessage,
    });
  };
}
