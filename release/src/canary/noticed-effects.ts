import {
  isNoticeable,
  type AssessmentOptions,
  type Comparison,
  type Effect,
  type Measure,
} from './assess-canary.ts';

/** How small a loss must be noticeable before a canary is promoted. */
export interface Sensitivity {
  /** The smallest loss of leads to notice, in percent. */
  readonly loss: number;
  /** Measures without which the canary is judged. */
  readonly without: readonly Measure[];
}

/** The effects that `fine` needs to have noticed: a loss of leads, and ten times the failures. */
export function requiredEffects({ loss, without }: Sensitivity): readonly Effect[] {
  const effects: readonly Effect[] = [
    { measure: 'failed', rate: 10 },
    { measure: 'leads', rate: 1 - loss / 100 },
  ];
  return effects.filter(({ measure }) => !without.includes(measure));
}

/** Losses of half and of a fifth of the leads, the larger one first. */
const smallerLosses: readonly Effect[] = [
  { measure: 'leads', rate: 0.5 },
  { measure: 'leads', rate: 0.8 },
];

interface NoticedEffects {
  readonly noticed: readonly Effect[];
  /** The required effects that would not have been noticed. If there are none, the largest loss that would not have been. */
  readonly unnoticed: readonly Effect[];
}

/** Tells which effects the views so far would have shown: the required ones, and losses that are smaller than the required one. */
export function noticedEffects(comparison: Comparison, options: AssessmentOptions): NoticedEffects {
  const { effects: required } = options;
  const isNoticed = (effect: Effect) => isNoticeable(comparison, effect, options);
  const requiredLoss = required.find(({ measure }) => measure === 'leads');
  const smaller = smallerLosses.filter(({ rate }) => requiredLoss && rate > requiredLoss.rate);
  const missing = required.filter((effect) => !isNoticed(effect));
  const largestLoss = smaller.filter((effect) => !isNoticed(effect)).slice(0, 1);
  return {
    noticed: [...required, ...smaller].filter(isNoticed),
    unnoticed: missing.length > 0 ? missing : largestLoss,
  };
}
