import type { CDPSession } from '@playwright/test';

/** A request as the browser made it. Times in seconds of the browser's own clock. */
export interface LoggedRequest {
  readonly url: string;
  /** Kind of resource, in the browser's words. */
  readonly kind: string;
  /** What made the browser ask: the HTML or a stylesheet (`parser`), a script, or something else. */
  readonly initiator: string;
  /** File that asked, where it is known. */
  readonly askedBy?: string | undefined;
  readonly begun: number;
  ended?: number;
  fromCache: boolean;
  /** Bytes that arrived, by when they did. */
  readonly received: { readonly at: number; readonly bytes: number }[];
}

/** Everything that a page asks the network for. */
export interface NetworkLog {
  readonly requests: readonly LoggedRequest[];
  /** Browser's clock → wall clock: what has to be added, in seconds. */
  readonly clockOffset: number;
  /** Resolves once nothing has been under way for a while. */
  quiet(): Promise<void>;
}

/** How long the network must be silent, in milliseconds. */
const quietTime = 500;

/** Starts to log. `Network.enable` must have been sent. */
export function logNetwork(session: CDPSession): NetworkLog {
  const requests = new Map<string, LoggedRequest>();
  let clockOffset = 0;
  let lastChange = performance.now();
  session.on('Network.requestWillBeSent', ({ requestId, request, type, initiator, timestamp, wallTime }) => {
    if (!request.url.startsWith('http')) return;
    clockOffset ||= wallTime - timestamp;
    lastChange = performance.now();
    requests.set(requestId, {
      url: request.url,
      kind: type ?? 'Other',
      initiator: initiator.type,
      askedBy: initiator.url,
      begun: timestamp,
      fromCache: false,
      received: [],
    });
  });
  session.on('Network.requestServedFromCache', ({ requestId }) => {
    const request = requests.get(requestId);
    if (request) request.fromCache = true;
  });
  session.on('Network.responseReceived', ({ requestId, response, timestamp }) => {
    const request = requests.get(requestId);
    if (!request) return;
    if (response.fromDiskCache === true || response.fromPrefetchCache === true) request.fromCache = true;
    request.received.push({ at: timestamp, bytes: response.encodedDataLength });
  });
  session.on('Network.dataReceived', ({ requestId, encodedDataLength, timestamp }) => {
    requests.get(requestId)?.received.push({ at: timestamp, bytes: encodedDataLength });
  });
  const end = ({
    requestId,
    timestamp,
    encodedDataLength = 0,
  }: {
    requestId: string;
    timestamp: number;
    encodedDataLength?: number;
  }) => {
    const request = requests.get(requestId);
    if (!request) return;
    request.ended = timestamp;
    lastChange = performance.now();
    // What no event has told of before: the last frames.
    const told = request.received.reduce((sum, { bytes }) => sum + bytes, 0);
    request.received.push({ at: timestamp, bytes: Math.max(0, encodedDataLength - told) });
  };
  session.on('Network.loadingFinished', end);
  session.on('Network.loadingFailed', end);

  return {
    get requests() {
      return [...requests.values()];
    },
    get clockOffset() {
      return clockOffset;
    },
    async quiet() {
      const busy = () =>
        [...requests.values()].some(({ ended, kind }) => ended === undefined && kind !== 'Ping');
      while (busy() || performance.now() - lastChange < quietTime) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}
