import type { FailureCause } from '@countersign/contracts/telemetry';

/** What happens in a block. */
export type BlockEvent = { readonly version: string } & (
  | { readonly kind: 'loaded'; readonly milliseconds: number }
  /** Loading takes longer than the threshold. */
  | { readonly kind: 'late' }
  /** The component runs: in the prerendered markup, or in place of it. */
  | { readonly kind: 'hydrated' | 'rendered' }
  | { readonly kind: 'failed'; readonly cause: FailureCause; readonly message: string }
  /** `to` is missing if no version is left, so the block keeps its plain markup. */
  | { readonly kind: 'fell-back'; readonly to?: string | undefined }
);

/** `at` is in milliseconds since the navigation. */
export type TraceStep = BlockEvent & { readonly at: number };

/** Load and hydration time of the version that ran last. */
export function describeTimes(steps: readonly TraceStep[]): string | undefined {
  const version = steps.at(-1)?.version;
  // The first ones, because a restored slot hydrates again.
  const loaded = steps.find((step) => step.kind === 'loaded' && step.version === version);
  if (loaded?.kind !== 'loaded') return undefined;
  const shown = steps.find(({ kind, at }) => (kind === 'hydrated' || kind === 'rendered') && at >= loaded.at);
  const hydration = shown ? ` + ${milliseconds(shown.at - loaded.at)} to hydrate` : '';
  return `${milliseconds(loaded.milliseconds)} to load${hydration}`;
}

const causes: Readonly<Record<FailureCause, string>> = {
  load: 'could not be loaded',
  render: 'threw while rendering',
  event: 'threw outside of rendering, and keeps running',
  mismatch: 'did not hydrate its markup, rendered it again, and keeps running',
};

/** A step as a sentence, without its time. */
export function describeStep(step: TraceStep): string {
  switch (step.kind) {
    case 'loaded':
      return `${step.version} loaded in ${milliseconds(step.milliseconds)}`;
    case 'late':
      return 'late: the markup stays until the code comes';
    case 'hydrated':
      return `${step.version} hydrated in the prerendered markup`;
    case 'rendered':
      return `${step.version} rendered in place of the markup`;
    case 'failed':
      return `${step.version} ${causes[step.cause]}: ${step.message}`;
    case 'fell-back':
      return step.to === undefined ? 'no version left: plain markup' : `falls back to ${step.to}`;
  }
}

export function milliseconds(value: number): string {
  return `${Math.round(value).toLocaleString('en')} ms`;
}
