import type { Middleware } from 'koa';
import type { DeliveryObserver } from '../delivery/attempt-delivery.ts';
import type { CommitObserver } from '../store/lead-store.ts';

/** Spans of what the service does. None holds anything of a person. */
export interface Traces {
  /** A span for each request. */
  readonly middleware: Middleware;
  readonly observeCommit: CommitObserver;
  readonly observeDelivery: DeliveryObserver;
  /** Hands on what has gathered. */
  stop(): Promise<void>;
}

/** Loads the packages for it only when there is somebody to send spans to. */
export async function openTraces(url: string | undefined): Promise<Traces | undefined> {
  if (url === undefined) return undefined;
  const { createOtlpTraces } = await import('./otlp-traces.ts');
  return createOtlpTraces(url);
}
