import type { FailureCause } from '@countersign/contracts/telemetry';

/** One step in loading a block. `at` is in milliseconds since the navigation. */
export type TraceStep = { readonly at: number; readonly version: string } & (
  | { readonly kind: 'requested' }
  /** All files have arrived. */
  | { readonly kind: 'fetched'; readonly kilobytes: number; readonly fromCache: boolean }
  /** The exposed module has been evaluated. */
  | { readonly kind: 'ready' }
  /** Loading takes longer than the threshold. */
  | { readonly kind: 'late' }
  /** The component runs: in the prerendered markup, or in place of it. */
  | { readonly kind: 'hydrated' | 'rendered' }
  | { readonly kind: 'failed'; readonly cause: FailureCause; readonly message: string }
  /** `to` is missing if no version is left, so the block keeps its plain markup. */
  | { readonly kind: 'fell-back'; readonly to?: string | undefined }
);

export type BlockStatus = 'waiting' | 'loading' | 'late' | 'running' | 'fell-back' | 'failed';

/** Status of a block after these steps. A failure outside of rendering leaves the component running. */
export function statusOf(steps: readonly TraceStep[]): BlockStatus {
  const decisive = steps.filter(
    (step) =>
      step.kind !== 'fetched' &&
      !(step.kind === 'failed' && (step.cause === 'event' || step.cause === 'mismatch')),
  );
  const last = decisive.at(-1);
  if (!last) return 'waiting';
  switch (last.kind) {
    case 'late':
      return 'late';
    case 'hydrated':
    case 'rendered':
      return decisive.some(({ kind }) => kind === 'failed') ? 'fell-back' : 'running';
    case 'fell-back':
      return last.to === undefined ? 'failed' : 'loading';
    case 'failed':
      return 'failed';
    default:
      return 'loading';
  }
}

/** Milliseconds that the last version took for each step that it reached. */
export function timingsOf(steps: readonly TraceStep[]): {
  readonly load?: number;
  readonly hydration?: number;
} {
  const version = steps.at(-1)?.version;
  const at = (kind: TraceStep['kind']) =>
    steps.findLast((step) => step.version === version && step.kind === kind)?.at;
  const [requested, ready] = [at('requested'), at('ready')];
  // The first one, because a restored slot hydrates again without loading.
  const shown = steps.find(
    (step) =>
      (step.kind === 'hydrated' || step.kind === 'rendered') && ready !== undefined && step.at >= ready,
  )?.at;
  return {
    ...(requested !== undefined && ready !== undefined && { load: ready - requested }),
    ...(ready !== undefined && shown !== undefined && { hydration: shown - ready }),
  };
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
    case 'requested':
      return `${step.version} requested`;
    case 'fetched':
      return step.fromCache ? 'files were loaded already' : `fetched ${step.kilobytes.toFixed(1)} kB`;
    case 'ready':
      return 'code ready';
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
