import { channel, type Channel } from 'node:diagnostics_channel';
import { describeError, type Log } from './log.ts';

interface Published<Event> {
  readonly service: Log;
  readonly event: Event;
}

/**
 * A typed channel of `node:diagnostics_channel`. It stands beside the code that publishes, which does not know its
 * observers. A process may run several services. Every component has the log of its service, so the log identifies the
 * service: subscribers receive only the events of theirs. Events contain no personal data.
 */
export class EventChannel<Event> {
  readonly #channel: Channel;

  constructor(name: string) {
    this.#channel = channel(`lead-service:${name}`);
  }

  /** Lets the code that publishes skip a measurement without subscribers. */
  get hasSubscribers(): boolean {
    return this.#channel.hasSubscribers;
  }

  publish(service: Log, event: Event): void {
    if (this.hasSubscribers) this.#channel.publish({ service, event } satisfies Published<Event>);
  }

  /** Calls the listener with each event of the service. Disposal unsubscribes it. */
  subscribe(service: Log, listener: (event: Event) => void): Disposable {
    const receive = (message: unknown) => {
      // Only `publish` uses the channel of this name.
      const published = message as Published<Event>;
      if (published.service !== service) return;
      try {
        listener(published.event);
      } catch (error) {
        // Node would end the process.
        service.error('event listener failed', { error: describeError(error) });
      }
    };
    this.#channel.subscribe(receive);
    return { [Symbol.dispose]: () => void this.#channel.unsubscribe(receive) };
  }
}
