import type { Counts } from './metrics-history.ts';

/**
 * The value below which a share of the observations lies, by linear interpolation within a bucket, like
 * `histogram_quantile` of Prometheus. Above the last finite bound it is that bound. `undefined` without observations.
 *
 * @param counts cumulative buckets by upper bound
 * @param share from 0 to 1
 */
export function quantile(counts: Counts, share: number): number | undefined {
  const buckets = Object.entries(counts)
    .map(([bound, count]) => ({ bound: bound === '+Inf' ? Infinity : Number(bound), count }))
    .sort((a, b) => a.bound - b.bound);
  const total = buckets.at(-1)?.count ?? 0;
  if (total <= 0) return undefined;
  const wanted = total * share;
  let below = { bound: 0, count: 0 };
  for (const bucket of buckets) {
    if (bucket.bound === Infinity) return below.bound;
    if (bucket.count >= wanted && bucket.count > below.count) {
      const within = (wanted - below.count) / (bucket.count - below.count);
      return below.bound + (bucket.bound - below.bound) * within;
    }
    below = bucket;
  }
  return below.bound;
}
