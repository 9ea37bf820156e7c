import type { Assessment } from './assess-canary.ts';

/** Page views of a version, and leads whose senders saw it. */
export interface LeadCount {
  readonly views: number;
  readonly leads: number;
}

/** Leads of a canary and of the stable version. */
export interface LeadComparison {
  readonly canary: LeadCount;
  readonly stable: LeadCount;
}

/** Leads of both versions that an assessment needs. */
const minimumLeads = 20;

/** Share of its leads by which a canary may be worse and still counts as no worse. */
export const margin = 0.2;

/** Probability that a canary that loses the {@link margin} counts as no worse. */
const errorRateOfFine = 0.005;

/** Leads per visitor of a canary, relative to the stable version, that are weighed against the assumption. */
const fewer = Array.from({ length: 19 }, (_, index) => (index + 1) * 0.05);
const equalOrMore = Array.from({ length: 11 }, (_, index) => 1 + index * 0.05);

/**
 * Tests whether a canary brings fewer leads per visitor than the stable version. May be called after every lead, and as often as
 * one likes: it is a mixture sequential probability ratio test (Robbins 1970), whose evidence stays below 1 / level for ever with
 * the probability 1 - level, if the assumption is true (Ville's inequality, 1939). Each lead is one observation: it comes from the
 * canary's group with the probability `percent` if both versions bring as many.
 *
 * `worse`: fewer. `fine`: not fewer by the {@link margin} or more. `waiting`: neither is proven.
 *
 * @param percent share of visitors in the canary's group, from 0 to 100
 * @param level probability that a canary that brings as many leads is called worse
 */
export function assessLeads({ canary, stable }: LeadComparison, percent: number, level: number): Assessment {
  const share = percent / 100;
  if (share <= 0 || share >= 1 || canary.leads + stable.leads < minimumLeads) return 'waiting';
  const evidence = (alternatives: readonly number[], assumed: number) => {
    const assumedShare = shareOfLeads(share, assumed);
    const ratios = alternatives.map((rate) => {
      const other = shareOfLeads(share, rate);
      return Math.exp(
        canary.leads * Math.log(other / assumedShare) +
          stable.leads * Math.log((1 - other) / (1 - assumedShare)),
      );
    });
    return ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  };
  if (evidence(fewer, 1) >= 1 / level) return 'worse';
  return evidence(equalOrMore, 1 - margin) >= 1 / errorRateOfFine ? 'fine' : 'waiting';
}

/** The share of all leads that a canary brings, if its visitors send so many leads per lead of others. */
function shareOfLeads(share: number, rate: number): number {
  return (share * rate) / (share * rate + 1 - share);
}

/** Expected number of leads of both versions until a canary that brings as many is called `fine`. */
export function leadsUntilFine(percent: number): number {
  const share = percent / 100;
  const assumed = shareOfLeads(share, 1 - margin);
  // Kullback-Leibler divergence: evidence per lead.
  const perLead = share * Math.log(share / assumed) + (1 - share) * Math.log((1 - share) / (1 - assumed));
  return Math.ceil(Math.log(equalOrMore.length / errorRateOfFine) / perLead);
}
