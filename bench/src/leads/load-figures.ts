import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';

/** Throughput and response times under load. */
export interface LoadFigures {
  readonly perSecond: number;
  /** Median of the response times, in milliseconds. */
  readonly p50: number;
  /** 99th percentile of the response times, in milliseconds. */
  readonly p99: number;
  /** Status → number of responses. */
  readonly statuses: Readonly<Record<string, number>>;
}

export interface Load {
  readonly connections: number;
  readonly seconds: number;
}

/** Sends leads to a server on this machine, no two of them equal, over keep-alive connections, one at a time each. */
export async function loadServer(port: number, { connections, seconds }: Load): Promise<LoadFigures> {
  const { requests, duration, latency, statusCodeStats } = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    requests: [{ method: 'POST', path: '/api/contact', setupRequest: withLead }],
  });
  const statuses = Object.entries(statusCodeStats ?? {}).map(([status, { count }]) => [status, count ?? 0]);
  return {
    perSecond: requests.total / duration,
    p50: latency.p50,
    p99: latency.p99,
    statuses: Object.fromEntries(statuses) as Record<string, number>,
  };
}

function withLead(request: autocannon.Request): autocannon.Request {
  const id = randomUUID();
  const lead = {
    name: 'Ada Lovelace',
    email: `ada.${id}@example.com`,
    company: 'Analytical Engines',
    message: `Please show me how templates work. This is request ${id}.`,
    submissionType: 'contact',
    attribution: { page: '/?utm_source=letter', utmSource: 'letter', releaseId: '2026-11-21-1' },
  };
  const headers = { 'content-type': 'application/json', 'idempotency-key': `"${id}"` };
  return { ...request, headers, body: JSON.stringify(lead) };
}
