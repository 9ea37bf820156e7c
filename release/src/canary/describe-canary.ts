import {
  isNoticeable,
  measures,
  viewsNeeded,
  type AssessmentOptions,
  type Comparison,
  type Counts,
  type Effect,
  type Measure,
} from './assess-canary.ts';

/** `30 of 60 views failed, 0 of 540 of 1.0.0` or `0 leads in 60 views, 31 in 540 of 1.0.0` */
export function describeViews(measure: Measure, { canary, stable }: Comparison, stableName: string): string {
  if (measure === 'leads')
    return `${canary.leads} leads in ${canary.views} views, ${stable.leads} in ${stable.views} of ${stableName}`;
  return `${canary[measure]} of ${canary.views} views ${measure}, ${stable[measure]} of ${stable.views} of ${stableName}`;
}

/** {@link describeViews} for all measures. */
export const describeMeasures = (comparison: Comparison) =>
  measures.map((measure) => describeViews(measure, comparison, 'the stable version')).join('; ');

/**
 * Effects that the views so far would have shown or not: `ten times the failures and a loss of all leads would have been noticed; a
 * loss of half of the leads would not have been noticed yet: about 1,600 views`. Also names losses that are smaller than the required one and
 * were noticed. Once all required effects were noticed, also names the largest loss that was not.
 */
export function describeNoticed(comparison: Comparison, options: AssessmentOptions): string {
  const { effects: required } = options;
  const isNoticed = (effect: Effect) => isNoticeable(comparison, effect, options);
  const isUnnoticed = (effect: Effect) => !isNoticed(effect);
  const requiredLoss = required.find(({ measure }) => measure === 'leads');
  // Of half and of a fifth of the leads, the larger one first.
  const remainingShares = [0.5, 0.8].filter((rate) => requiredLoss && rate > requiredLoss.rate);
  const smaller = remainingShares.map((rate): Effect => ({ measure: 'leads', rate }));
  const noticed = [...required, ...smaller].filter(isNoticed);
  const unnoticed = required.some(isUnnoticed)
    ? required.filter(isUnnoticed)
    : smaller.filter(isUnnoticed).slice(0, 1);
  const sentences = unnoticed.map((effect) => {
    const need = describeNeed(comparison.stable, effect, options);
    return `${nameEffect(effect)} would not have been noticed yet: ${need}`;
  });
  if (noticed.length > 0)
    sentences.unshift(`${noticed.map(nameEffect).join(' and ')} would have been noticed`);
  return sentences.join('; ');
}

/** `to notice a loss of all leads: about 280 views`, for each effect that `fine` needs to have noticed. */
export const describeNeeds = (stable: Counts, options: AssessmentOptions) =>
  options.effects
    .map((effect) => `to notice ${nameEffect(effect)}: ${describeNeed(stable, effect, options)}`)
    .join('; ');

/** `about 1,600 views` of the canary, or why that is not known. */
function describeNeed(stable: Counts, effect: Effect, options: AssessmentOptions): string {
  const views = viewsNeeded(stable, effect, options);
  if (views !== undefined) return `about ${Number(views.toPrecision(2)).toLocaleString('en')} views`;
  if (stable.views === 0) return 'no view of the stable version is known';
  return effect.measure === 'leads' && stable.leads === 0
    ? 'the stable version has brought no lead, so that only "--without leads" can judge this canary'
    : 'more than a billion views';
}

function nameEffect({ measure, rate }: Effect): string {
  if (measure !== 'leads') {
    const times = { 10: 'ten' }[rate] ?? String(rate);
    return `${times} times the failures`;
  }
  const loss = Math.round((1 - rate) * 100);
  const share = { 100: 'all', 50: 'half of the', 20: 'a fifth of the' }[loss] ?? `${loss} % of the`;
  return `a loss of ${share} leads`;
}
