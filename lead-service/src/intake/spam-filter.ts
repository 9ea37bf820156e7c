import * as z from 'zod';
import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import { honeypotField, type LeadFields } from '@countersign/contracts/lead';
import type { Classify, SpamClassification } from './create-lead.ts';
import type { Counters } from '../rate-limit/counters.ts';

// `require`, because some tools cannot parse the import attribute that Node needs for JSON.
const require = createRequire(import.meta.url);
const domainList = z.array(z.string());
const disposableDomains = new Set([
  ...domainList.parse(require('disposable-email-domains')),
  ...domainList.parse(require('disposable-email-domains/wildcard.json')),
]);

interface Evidence {
  readonly fields: LeadFields;
  /** Value of the honeypot field, which people do not see. */
  readonly honeypot: string | undefined;
  /** Number of different leads with this message within a day, including this one. */
  readonly sameMessage: number;
}

interface Sign {
  readonly points: number;
  /** Reason for sales. Never quotes user text. */
  readonly reason: string;
}

/** Score from which a lead goes into quarantine. Of single signs, only the honeypot and a wave of one message reach it. */
const quarantineScore = 7;
/** In characters. Different people send the same short messages, such as "Please call me back". */
const shortMessage = 40;
const secondsPerDay = 24 * 60 * 60;
const linkMarkup = /<a\s|\[url[=\]]|\[link[=\]]/i;

/** Adds up the points of all signs. A high score causes quarantine, but no lead is ever discarded. */
export function scoreLead({ fields, honeypot, sameMessage }: Evidence): SpamClassification {
  const { name, email, company = '', message } = fields;
  const links = countLinks(message);
  const possible: readonly (Sign | false)[] = [
    Boolean(honeypot) && { points: 20, reason: 'a field that people do not see was filled in' },
    links > 0 && {
      points: Math.min(links * 2 - 1, 6),
      reason: `${links} ${links === 1 ? 'link' : 'links'} in the message`,
    },
    countLinks(name) + countLinks(company) > 0 && { points: 6, reason: 'a link in the name or company' },
    // Of HTML or BBCode, which contact forms do not render.
    linkMarkup.test(message) && { points: 4, reason: 'markup for links in the message' },
    // A few may be harmless, such as replies to a letter that proposes their text.
    sameMessage > 3 &&
      message.length >= shortMessage && {
        points: sameMessage > 20 ? quarantineScore : 3,
        reason: `the same message came with ${sameMessage} leads within a day`,
      },
    isDisposable(email) && { points: 4, reason: 'a disposable e-mail address' },
  ];
  const signs = possible.filter((sign) => sign !== false);
  const score = signs.reduce((sum, { points }) => sum + points, 0);
  return { score, reasons: signs.map(({ reason }) => reason), quarantined: score >= quarantineScore };
}

/** Returns a function that classifies leads. It counts equal messages, which no short one needs. */
export function createSpamFilter(counters: Counters): Classify {
  const messages = counters.open('messages', secondsPerDay);
  return async (submission, fingerprint) => {
    const { message } = submission;
    const text = () => hash('sha256', message.toLowerCase().replaceAll(/\s+/g, ' '));
    const isLong = message.length >= shortMessage;
    const sameMessage = isLong ? (await messages.addDistinct(text(), fingerprint)).points : 1;
    return scoreLead({ fields: submission, honeypot: submission[honeypotField], sameMessage });
  };
}

/** Counts the URLs in a text. The pattern needs one pass, so that long texts cannot cause catastrophic backtracking. */
function countLinks(text: string): number {
  return text.match(/\bhttps?:\/\/|(?<!\/)\bwww\./gi)?.length ?? 0;
}

/** Whether the address belongs to a disposable e-mail provider, including its subdomains. */
function isDisposable(email: string): boolean {
  let domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  while (domain !== '') {
    if (disposableDomains.has(domain)) return true;
    const dot = domain.indexOf('.');
    domain = dot < 0 ? '' : domain.slice(dot + 1);
  }
  return false;
}
