import type { Assessment } from './assess-canary.ts';

/** Page views of a version, and leads whose senders saw it. */
export interface LeadCount {
  readonly views: number;
  readonly leads: number;
}

export interface LeadComparison {
  readonly canary: LeadCount;
  readonly stable: LeadCount;
}

/** Number of leads of both versions that an assessment needs. */
const minimumLeads = 20;

/** Share of leads that a `fine` canary may lose at most. */
export const margin = 0.2;

/** Probability that a canary that loses the {@link margin} is called `fine`. */
const errorRateOfFine = 0.005;

/**
 * Lead rates: leads per visitor of the canary, relative to the stable version. These are the alternatives that are weighed
 * against a null hypothesis: from 0.05 to 0.95, and from 1 to 1.5.
 */
const fewer = Array.from({ length: 19 }, (_, index) => (index + 1) * 0.05);
const equalOrMore = Array.from({ length: 11 }, (_, index) => 1 + index * 0.05);

/**
 * Tests whether a canary brings fewer leads per visitor than the stable version. `worse`: it does; rejects the null hypothesis
 * that both bring as many. `fine`: rejects the null hypothesis that it brings fewer by the {@link margin}. `waiting`: rejects none.
 *
 * May be called after every lead, and as often as one likes: each is a mixture sequential probability ratio test (Robbins 1970).
 * If the null hypothesis is true, the evidence against it stays below 1 / level for ever with the probability 1 - level (Ville's
 * inequality, 1939). Each lead is one observation: if both versions bring as many, it comes from the canary's group with the
 * probability `percent`.
 *
 * @param percent share of visitors in the canary's group, from 0 to 100
 * @param level probability that a canary that brings as many leads is called worse
 */
export function assessLeads({ canary, stable }: LeadComparison, percent: number, level: number): Assessment {
  const share = percent / 100;
  if (share <= 0 || share >= 1 || canary.leads + stable.leads < minimumLeads) return 'waiting';
  /** Mean likelihood ratio of the alternatives to the null hypothesis. */
  const evidence = (alternatives: readonly number[], nullRate: number) => {
    const nullShare = shareOfLeads(share, nullRate);
    const ratios = alternatives.map((rate) => {
      const other = shareOfLeads(share, rate);
      return Math.exp(
        canary.leads * Math.log(other / nullShare) + stable.leads * Math.log((1 - other) / (1 - nullShare)),
      );
    });
    return ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  };
  if (evidence(fewer, 1) >= 1 / level) return 'worse';
  return evidence(equalOrMore, 1 - margin) >= 1 / errorRateOfFine ? 'fine' : 'waiting';
}

/**
 * Expected share of all leads that come from the canary.
 *
 * @param share of visitors in the canary's group, from 0 to 1
 * @param rate leads per visitor of the canary, relative to the stable version
 */
function shareOfLeads(share: number, rate: number): number {
  return (share * rate) / (share * rate + 1 - share);
}

/** Expected number of leads of both versions until a canary that brings as many is called `fine`. */
export function leadsUntilFine(percent: number): number {
  const share = percent / 100;
  const nullShare = shareOfLeads(share, 1 - margin);
  // Kullback-Leibler divergence: logarithm of the evidence per lead.
  const perLead = share * Math.log(share / nullShare) + (1 - share) * Math.log((1 - share) / (1 - nullShare));
  // The mean divides the evidence of the true alternative by the number of alternatives.
  return Math.ceil(Math.log(equalOrMore.length / errorRateOfFine) / perLead);
}
