import type { Log } from '../log.ts';
import type { Database } from '../store/database.ts';
import type { DeliveryObserver } from './attempt-delivery.ts';
import { DeliveryLane } from './delivery-lane.ts';
import { OutboxQueue, type DeliveryFilter } from './outbox-queue.ts';
import type { Prepare } from './send-result.ts';

const usualStopTimeout = 10_000;

export interface OutboxWorkerOptions {
  readonly database: Database;
  readonly prepare: Prepare;
  /** Names of the webhook endpoints. */
  readonly webhooks: readonly string[];
  /** Milliseconds. Must exceed what an attempt can take. */
  readonly lease: number;
  readonly log: Log;
  readonly observe?: DeliveryObserver;
  readonly clock?: () => Date;
  /** Milliseconds that what is in flight has when the service stops. */
  readonly stopTimeout?: number;
}

/** Sends what waits in the outbox, at the same time as other instances on the same database. */
export class OutboxWorker {
  readonly #lanes: readonly DeliveryLane[];
  readonly #interruption = new AbortController();
  readonly #stopTimeout: number;
  #running: Promise<unknown> | undefined;

  constructor({ database, prepare, webhooks, lease, log, observe, clock, stopTimeout }: OutboxWorkerOptions) {
    this.#stopTimeout = stopTimeout ?? usualStopTimeout;
    const queue = new OutboxQueue(database, lease, log);
    const context = {
      prepare,
      log,
      observe: observe ?? (() => undefined),
      clock: clock ?? (() => new Date()),
      interruption: this.#interruption.signal,
    };
    this.#lanes = lanesFor(webhooks).map((filter) => new DeliveryLane(queue, filter, context));
  }

  start(): void {
    this.#running ??= Promise.all(this.#lanes.map((lane) => lane.run()));
  }

  /** There is something new. Without this it would be seen within a second. */
  nudge(): void {
    for (const lane of this.#lanes) lane.nudge();
  }

  /** Takes nothing more, finishes what is in flight, and breaks off what takes too long. */
  async stop(): Promise<void> {
    for (const lane of this.#lanes) lane.stop();
    const deadline = setTimeout(() => this.#interruption.abort(), this.#stopTimeout);
    await this.#running;
    clearTimeout(deadline);
  }
}

/** One for each webhook endpoint, and one for mail. The last also finds webhooks whose endpoint is no longer known. */
function lanesFor(webhooks: readonly string[]): DeliveryFilter[] {
  const toEndpoints = webhooks.map(
    (name): DeliveryFilter =>
      ({ and, eb }) =>
        and([eb('kind', '=', 'webhook'), eb('target', '=', name)]),
  );
  const rest: DeliveryFilter = (outbox) =>
    outbox.and(toEndpoints.map((filter) => outbox.not(filter(outbox))));
  return [...toEndpoints, rest];
}
