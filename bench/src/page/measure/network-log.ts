import type { CDPSession } from '@playwright/test';

/** A request of the browser. Times are in seconds of the browser's monotonic clock. */
export interface LoggedRequest {
  readonly url: string;
  /** Resource type, as the DevTools protocol names it. */
  readonly kind: string;
  readonly startedAt: number;
  endedAt?: number;
  fromCache: boolean;
  /** Received bytes with their times. */
  readonly received: { readonly at: number; readonly bytes: number }[];
}

/** Log of all requests of a page. */
interface NetworkLog {
  readonly requests: readonly LoggedRequest[];
  /** Offset from the browser's clock to the wall clock, in seconds. */
  readonly clockOffset: number;
  /** Resolves when the network has been idle for a while. Beacons (`Ping`) that have not ended do not count. */
  idle(): Promise<void>;
}

/** Duration without requests after which the network is idle, in milliseconds. */
const idleTime = 500;

/** Starts the log. Requires `Network.enable`. */
export function logNetwork(session: CDPSession): NetworkLog {
  const requests = new Map<string, LoggedRequest>();
  let clockOffset = 0;
  let lastChange = performance.now();
  session.on('Network.requestWillBeSent', ({ requestId, request, type, timestamp, wallTime }) => {
    if (!request.url.startsWith('http')) return;
    clockOffset ||= wallTime - timestamp;
    lastChange = performance.now();
    requests.set(requestId, {
      url: request.url,
      kind: type ?? 'Other',
      startedAt: timestamp,
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
  const end = (requestId: string, timestamp: number, encodedDataLength = 0) => {
    const request = requests.get(requestId);
    if (!request) return;
    request.endedAt = timestamp;
    lastChange = performance.now();
    // Bytes that no earlier event has reported, such as the last frames.
    const reported = request.received.reduce((sum, { bytes }) => sum + bytes, 0);
    request.received.push({ at: timestamp, bytes: Math.max(0, encodedDataLength - reported) });
  };
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) =>
    end(requestId, timestamp, encodedDataLength),
  );
  session.on('Network.loadingFailed', ({ requestId, timestamp }) => end(requestId, timestamp));

  return {
    get requests() {
      return [...requests.values()];
    },
    get clockOffset() {
      return clockOffset;
    },
    async idle() {
      const busy = () =>
        [...requests.values()].some(({ endedAt, kind }) => endedAt === undefined && kind !== 'Ping');
      while (busy() || performance.now() - lastChange < idleTime) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}
