import type { LeadFields } from '@countersign/contracts/lead';
import type { SpamClassification } from '../lead/lead.ts';
import { isDisposable } from './disposable-domains.ts';
import type { FormTokenState } from './form-token.ts';
import { countLinks, hasMarkup, hidesText, isRepetitive, mixesScripts } from './text-signs.ts';

export interface Evidence {
  readonly fields: LeadFields;
  /** Value of the honeypot field, which people do not see. */
  readonly honeypot: string | undefined;
  readonly form: FormTokenState;
  /** `not-asked`: the form token was issued without a challenge. */
  readonly proof: 'not-asked' | 'solved' | 'missing' | 'wrong' | 'used';
  /** Number of different leads with this form token, including this one. */
  readonly sentWithForm: number;
  /** Number of different leads with this message within a day, including this one. */
  readonly sameMessage: number;
}

interface Sign {
  readonly points: number;
  /** Reason for sales. Never quotes user text. */
  readonly reason: string;
}

type Rule = (evidence: Evidence) => Sign | undefined;

/** Score from which a lead goes into quarantine. Only the honeypot reaches it alone. */
export const quarantineScore = 7;
/** Score from which the sender gets no confirmation, because the address may be that of a stranger. */
const withholdingScore = 4;
/** In seconds. Even with autofill, a person needs longer to fill in the form. */
const secondsToFillIn = 2;
/** In characters. Different people send the same short messages, such as "Please call me back". */
const shortMessage = 40;

const honeypotFilledIn: Rule = ({ honeypot }) =>
  honeypot ? { points: 20, reason: 'a field that people do not see was filled in' } : undefined;

const formSigns: Rule = ({ form }) => {
  switch (form.kind) {
    case 'absent':
      return { points: 1, reason: 'sent without a form token' };
    case 'forged':
      // Not more, because a change of the secret makes the tokens of open forms foreign.
      return { points: 5, reason: 'the form token is not ours' };
    case 'expired':
      return { points: 1, reason: 'the form was opened more than a day ago' };
    case 'good':
      return form.secondsOld < secondsToFillIn
        ? { points: 4, reason: `sent within ${secondsToFillIn} seconds of opening the form` }
        : undefined;
  }
};

const formUsedOften: Rule = ({ sentWithForm }) =>
  sentWithForm > 5 ? { points: 4, reason: `${sentWithForm} leads from one opened form` } : undefined;

const linksInMessage: Rule = ({ fields }) => {
  const links = countLinks(fields.message);
  if (links === 0) return undefined;
  return {
    points: Math.min(links * 2 - 1, 6),
    reason: `${links} ${links === 1 ? 'link' : 'links'} in the message`,
  };
};

const linkInName: Rule = ({ fields: { name, company = '' } }) =>
  countLinks(name) + countLinks(company) > 0
    ? { points: 6, reason: 'a link in the name or company' }
    : undefined;

const markupInMessage: Rule = ({ fields }) =>
  hasMarkup(fields.message) ? { points: 4, reason: 'markup for links in the message' } : undefined;

const repetition: Rule = ({ fields }) =>
  isRepetitive(fields.message) ? { points: 4, reason: 'the message repeats itself' } : undefined;

/** Whether many leads have the message. Short ones do not count. */
const isSentOften = ({ fields, sameMessage }: Evidence) =>
  sameMessage > 3 && fields.message.length >= shortMessage;

const sameMessageOften: Rule = (evidence) => {
  if (!isSentOften(evidence)) return undefined;
  const { sameMessage } = evidence;
  return {
    points: sameMessage > 20 ? 6 : 3,
    reason: `the same message came with ${sameMessage} leads within a day`,
  };
};

const disposableAddress: Rule = ({ fields }) =>
  isDisposable(fields.email) ? { points: 4, reason: 'a disposable e-mail address' } : undefined;

const mixedScripts: Rule = ({ fields: { name, company = '' } }) =>
  mixesScripts(name) || mixesScripts(company)
    ? { points: 4, reason: 'a word in the name or company mixes alphabets' }
    : undefined;

const hiddenText: Rule = ({ fields: { name, company = '' } }) =>
  hidesText(name) || hidesText(company)
    ? { points: 4, reason: 'hidden or reordering characters in the name or company' }
    : undefined;

const noProof: Rule = ({ proof }) => {
  switch (proof) {
    case 'not-asked':
    case 'solved':
      return undefined;
    case 'missing':
      return { points: 5, reason: 'proof of work was asked for and not given' };
    case 'wrong':
      return { points: 6, reason: 'the proof of work is wrong' };
    case 'used':
      return { points: 6, reason: 'the proof of work was used before' };
  }
};

const rules: readonly Rule[] = [
  honeypotFilledIn,
  formSigns,
  formUsedOften,
  linksInMessage,
  linkInName,
  markupInMessage,
  repetition,
  sameMessageOften,
  disposableAddress,
  mixedScripts,
  hiddenText,
  noProof,
];
/** Points that a proof of work offsets. Too few for the honeypot, which no person fills in. */
const forgivenForProof = 5;

/** Adds up the points of all signs. A high score causes quarantine, but no lead is ever discarded. */
export function scoreLead(evidence: Evidence): SpamClassification {
  const signs = rules.map((rule) => rule(evidence)).filter((sign) => sign !== undefined);
  const against = signs.reduce((sum, { points }) => sum + points, 0);
  const forgiven = evidence.proof === 'solved' ? Math.min(forgivenForProof, against) : 0;
  const reasons = signs.map(({ reason }) => reason);
  if (forgiven > 0) reasons.push('proof of work was given');
  const score = against - forgiven;
  const withheld = withholdingReason(evidence, score);
  return { score, reasons, quarantined: score >= quarantineScore, ...(withheld && { withheld }) };
}

/** Why a stranger could have given the address, so that it gets no confirmation. */
function withholdingReason(evidence: Evidence, score: number): string | undefined {
  if (evidence.form.kind !== 'good') return 'Withheld: the lead came without a valid form token.';
  if (score >= withholdingScore) return `Withheld: the spam score of the lead is ${score}.`;
  if (isSentOften(evidence)) return 'Withheld: too many leads have the same message.';
  return undefined;
}
