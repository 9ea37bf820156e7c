/**
 * Load generator: sends leads over keep-alive connections, one at a time per connection, and prints the figures
 * as JSON. Runs in a process of its own with little overhead, because it shares the machine with the server.
 *
 * `node generate-load.ts <port> <connections> <seconds> [<max requests>]`
 */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { percentile } from '../platform/percentiles.ts';
import type { LoadFigures } from './load-figures.ts';

const [port = 0, connections = 1, seconds = 5, maxRequests = Number.POSITIVE_INFINITY] = process.argv
  .slice(2)
  .map(Number);

/** Placeholder for the request number, so that no two leads are equal. */
const counterPlaceholder = '0'.repeat(12);
const body = JSON.stringify({
  name: 'Ada Lovelace',
  email: `ada.${counterPlaceholder}@example.com`,
  company: 'Analytical Engines',
  message: `Please show me how templates work. This is request ${counterPlaceholder}.`,
  submissionType: 'contact',
  attribution: { page: '/?utm_source=letter', utmSource: 'letter', releaseId: '2026-11-21-1' },
});
const template = Buffer.from(
  [
    'POST /api/contact HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `Idempotency-Key: "${randomBytes(8).toString('hex')}-${counterPlaceholder}"`,
    '',
    body,
  ].join('\r\n'),
  'latin1',
);
const offsets = [...template.toString('latin1').matchAll(new RegExp(counterPlaceholder, 'g'))].map(
  ({ index }) => index,
);

const latencies: number[] = [];
const statuses: Record<string, number> = {};
let sent = 0;
const start = performance.now();
const end = start + seconds * 1000;
let openConnections = connections;

for (let index = 0; index < connections; index += 1) sendSequentially();

function sendSequentially(): void {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const request = Buffer.from(template);
  let sentAt = 0;
  let received = '';
  socket.on('connect', send);
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    const status = completeResponseStatus(received);
    if (status === undefined) return;
    received = '';
    latencies.push(performance.now() - sentAt);
    statuses[status] = (statuses[status] ?? 0) + 1;
    send();
  });
  socket.on('error', () => finish(socket));

  function send(): void {
    sentAt = performance.now();
    if (sentAt >= end || sent >= maxRequests) return finish(socket);
    sent += 1;
    const number = String(sent).padStart(counterPlaceholder.length, '0');
    for (const offset of offsets) request.write(number, offset, 'latin1');
    socket.write(request);
  }
}

/** Status of a response that has arrived completely. All measured servers send `Content-Length`. */
function completeResponseStatus(received: string): string | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const lengthAt = received.search(/content-length: /i) + 'content-length: '.length;
  const length = Number.parseInt(received.slice(lengthAt, lengthAt + 6), 10);
  return received.length >= headEnd + 4 + length ? received.slice(9, 12) : undefined;
}

function finish(socket: Socket): void {
  socket.destroy();
  openConnections -= 1;
  if (openConnections > 0) return;
  const figures: LoadFigures = {
    perSecond: latencies.length / ((performance.now() - start) / 1000),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    statuses,
  };
  console.log(JSON.stringify(figures));
}
