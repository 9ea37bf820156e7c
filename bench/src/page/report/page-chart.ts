import { variantNames, type VariantName } from '../assembly/variant.ts';
import type { Rounds } from '../measure/measure-variants.ts';
import { profiles, type ProfileName } from '../measure/profiles.ts';
import { medianOf, metrics, type MetricName } from './metrics.ts';

const chartedMetrics: readonly MetricName[] = [
  'kilobytesBySplash',
  'kilobytesInAll',
  'largestPaint',
  'blocked',
  'headerAndPricing',
  'all',
];

const width = 760;
const barHeight = 16;
const barGap = 4;
const groupGap = 22;
const labelWidth = 100;
const valueWidth = 70;
const top = 52;

/**
 * SVG chart of one profile, with a group of bars per figure, each with its own scale. Follows the reader's
 * colour scheme.
 */
export function pageChart(profile: ProfileName, rounds: Rounds): string {
  const variants = variantNames.filter((variant) => rounds[variant]);
  const groupHeight = 20 + variants.length * (barHeight + barGap) + groupGap;
  const height = top + chartedMetrics.length * groupHeight;
  const groups = chartedMetrics.map((name, index) =>
    group(name, rounds, variants, top + index * groupHeight),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">What the page costs on ${profiles[profile].title}, assembled in ${variants.length} ways</title>
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2430 }
.title { font-size: 15px; font-weight: 600 }
.name { font-weight: 600 }
.bar { fill: #9aa3b5 }
.ours { fill: #1f6f5c }
@media (prefers-color-scheme: dark) {
  text { fill: #e8eaf0 }
  .bar { fill: #6b7488 }
  .ours { fill: #4fc3a1 }
}
</style>
<text class="title" x="0" y="20">First visit, ${profiles[profile].title}</text>
${groups.join('\n')}
</svg>
`;
}

function group(name: MetricName, rounds: Rounds, variants: readonly VariantName[], y: number): string {
  const { label, digits } = metrics[name];
  const values = variants.map((variant) => medianOf(rounds, variant, name) ?? 0);
  const largest = Math.max(...values, Number.MIN_VALUE);
  const bars = variants.map((variant, index) => {
    const value = values[index] ?? 0;
    const barTop = y + 10 + index * (barHeight + barGap);
    const length = ((width - labelWidth - valueWidth) * value) / largest;
    const baseline = barTop + barHeight - 4;
    return [
      `<text x="0" y="${baseline}">${variant}</text>`,
      `<rect class="${variant === 'ours' ? 'ours' : 'bar'}" x="${labelWidth}" y="${barTop}" width="${length.toFixed(1)}" height="${barHeight}" rx="2"/>`,
      `<text x="${(labelWidth + length + 8).toFixed(1)}" y="${baseline}">${value.toFixed(digits)}</text>`,
    ].join('\n');
  });
  return [`<text class="name" x="0" y="${y}">${label}</text>`, ...bars].join('\n');
}
