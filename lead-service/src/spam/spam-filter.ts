import { hash as hashOnce } from 'node:crypto';
import { honeypotField, type LeadFields } from '@countersign/contracts/lead';
import type { SubmissionMetadata } from '@countersign/contracts/lead-submission';
import type { SpamClassification } from '../lead/lead.ts';
import type { KeyedHash } from '../platform/keyed-hash.ts';
import { countDistinct, openOwnCounter, type OpenCounter } from '../rate-limit/counters.ts';
import type { Challenges } from './challenges.ts';
import { tokenLifetime, type FormTokens, type FormTokenState } from './form-token.ts';
import { scoreLead, type Evidence } from './score-lead.ts';

/** A lead that passed validation, with what the browser sent beside it. */
export interface UnclassifiedLead {
  readonly fields: LeadFields;
  /** Equal for all retries of a lead, because a retry is no sign of spam. */
  readonly fingerprint: string;
  readonly metadata: SubmissionMetadata;
}

type SpamFilter = (lead: UnclassifiedLead) => Promise<SpamClassification>;

const day = 24 * 60 * 60;

export function createSpamFilter(
  tokens: FormTokens,
  challenges: Challenges,
  open: OpenCounter,
  hash: KeyedHash,
): SpamFilter {
  // Counted per instance, because a wave of spam reaches all instances. A database row for each message would cost as
  // much as the lead.
  const messages = openOwnCounter('message', day);
  const forms = openOwnCounter('form', tokenLifetime / 1000);
  // Shared, because a proof must not be valid once at each instance.
  const proofs = open('proof', tokenLifetime / 1000);

  /** A proof is valid for the first lead that is sent with it, including its retries. */
  async function checkProof(
    form: FormTokenState,
    proof: string | undefined,
    fingerprint: string,
  ): Promise<Evidence['proof']> {
    if (form.kind !== 'good' || !form.challenged) return 'not-asked';
    if (proof === undefined) return 'missing';
    if (!(await challenges.isSolved(form.id, proof))) return 'wrong';
    return (await countDistinct(proofs, form.id, hash(fingerprint))) > 1 ? 'used' : 'solved';
  }

  return async ({ fields, fingerprint, metadata }) => {
    const text = hashOnce('sha256', fields.message.toLowerCase().replaceAll(/\s+/g, ' '));
    const form = tokens.read(metadata.formToken);
    const [sameMessage, sentWithForm, proof] = await Promise.all([
      countDistinct(messages, text, fingerprint),
      form.kind === 'good' ? countDistinct(forms, form.id, fingerprint) : 0,
      checkProof(form, metadata.proof, fingerprint),
    ]);
    return scoreLead({
      fields,
      honeypot: metadata[honeypotField],
      form,
      proof,
      sentWithForm,
      sameMessage,
    });
  };
}
