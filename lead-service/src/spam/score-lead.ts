import type { LeadFields } from '@countersign/contracts/lead';
import type { SpamVerdict } from '../lead.ts';
import { isDisposable } from './disposable-domains.ts';
import type { FormTokenState } from './form-token.ts';
import { countLinks, hasMarkup, isRepetitive, mixesScripts } from './text-signs.ts';

/** Everything that the score of a lead follows from. */
export interface Evidence {
  readonly fields: LeadFields;
  /** What came in the field that no person sees. */
  readonly trap: string | undefined;
  readonly form: FormTokenState;
  /** `not-asked`: the form came without work to do. */
  readonly proof: 'not-asked' | 'solved' | 'missing' | 'wrong' | 'used';
  /** How many different leads were sent with this form token, this one included. */
  readonly sentWithForm: number;
  /** How many different leads have had this message within a day, this one included. */
  readonly sameMessage: number;
}

interface Sign {
  readonly points: number;
  /** For sales. Quotes nothing that was typed. */
  readonly reason: string;
}

type Rule = (evidence: Evidence) => Sign | undefined;

/** From this score on a lead waits for a person. No single sign but the first reaches it. */
export const quarantineScore = 10;
/** A person needs longer than this to fill in a form, even with a browser that helps. */
const secondsToFillIn = 2;
/** Below this length people write the same thing: "Please call me back". */
const shortMessage = 40;

const trapFilledIn: Rule = ({ trap }) =>
  trap ? { points: 20, reason: 'a field that people do not see was filled in' } : undefined;

const formSigns: Rule = ({ form }) => {
  switch (form.kind) {
    case 'absent':
      return { points: 1, reason: 'sent without a form token' };
    case 'forged':
      return { points: 6, reason: 'the form token is not ours' };
    case 'expired':
      return { points: 2, reason: 'the form was opened more than a day ago' };
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
    points: Math.min(links * 2 - 1, 8),
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

const sameMessageOften: Rule = ({ fields, sameMessage }) => {
  if (sameMessage <= 3 || fields.message.length < shortMessage) return undefined;
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
  trapFilledIn,
  formSigns,
  formUsedOften,
  linksInMessage,
  linkInName,
  markupInMessage,
  repetition,
  sameMessageOften,
  disposableAddress,
  mixedScripts,
  noProof,
];
/** What a solved challenge makes up for. Not for the trap: people do not fall into it. */
const forgivenForProof = 5;

/** Adds up what speaks against a lead. A high score holds it back; nothing ever throws it away. */
export function scoreLead(evidence: Evidence): SpamVerdict {
  const signs = rules.map((rule) => rule(evidence)).filter((sign) => sign !== undefined);
  const against = signs.reduce((sum, { points }) => sum + points, 0);
  const forgiven = evidence.proof === 'solved' ? Math.min(forgivenForProof, against) : 0;
  const reasons = signs.map(({ reason }) => reason);
  if (forgiven > 0) reasons.push('proof of work was given');
  const score = against - forgiven;
  return { score, reasons, quarantined: score >= quarantineScore };
}
