import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { telemetryPath } from '@countersign/contracts/telemetry-path';
import type { PartReport, TelemetryReport } from '@countersign/contracts/telemetry';
import { recordPage } from './recorded-page.ts';

/** A site behind a proxy of the test, for engines without request interception. */
export interface WatchedSite {
  readonly url: string;
  /** Reports of parts that pages have sent so far. */
  readonly reports: readonly PartReport[];
  /** Delays the responses to requests with a matching path until they are released. */
  hold(path: RegExp): { release(): void };
  /** Drops the connections of requests with a matching path, until the network is restored. */
  disconnect(path: RegExp): { restore(): void };
  close(): Promise<void>;
}

const recorderPath = '/recorder-of-the-test.js';
const recorder = `(${recordPage})();`;
const recorderIntegrity = `sha384-${createHash('sha384').update(recorder).digest('base64')}`;
/** The page's policy allows a script from its own origin, with its hash. Nothing else of the page is changed. */
const recorderElement = `<script src="${recorderPath}" integrity="${recorderIntegrity}" crossorigin="anonymous"></script>`;

export async function watchSite(siteUrl: string): Promise<WatchedSite> {
  const reports: PartReport[] = [];
  let dropped: RegExp | undefined;
  let holding: { readonly path: RegExp; readonly released: Promise<unknown> } | undefined;

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = incoming.url ?? '/';
    if (path === recorderPath) {
      outgoing.writeHead(200, { 'content-type': 'text/javascript' }).end(recorder);
      return;
    }
    if (dropped?.test(path)) {
      outgoing.destroy();
      return;
    }
    if (holding?.path.test(path)) await holding.released;
    const forwarded = request(new URL(path, siteUrl), {
      method: incoming.method,
      headers: { ...incoming.headers, 'accept-encoding': 'identity' },
    });
    const answered = once(forwarded, 'response') as Promise<[IncomingMessage]>;
    if (path === telemetryPath) {
      const body = await text(incoming);
      reports.push(...(JSON.parse(body) as TelemetryReport).parts);
      forwarded.end(body);
    } else {
      await pipeline(incoming, forwarded);
    }
    const [response] = await answered;
    await passOn(response, outgoing);
  }

  const server = createServer((incoming, outgoing) => {
    // A closed browser aborts its requests.
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    reports,
    hold(path) {
      const releasing = new EventEmitter();
      holding = { path, released: once(releasing, 'release') };
      return { release: () => void releasing.emit('release') };
    },
    disconnect(path) {
      dropped = path;
      return { restore: () => void (dropped = undefined) };
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function passOn(response: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { statusCode = 500, headers } = response;
  if (!headers['content-type']?.startsWith('text/html')) {
    outgoing.writeHead(statusCode, headers);
    await pipeline(response, outgoing);
    return;
  }
  const html = (await text(response)).replace('<head>', `<head>${recorderElement}`);
  // The length and the tag are those of the HTML without the recorder.
  const kept = Object.entries(headers).filter(([name]) => name !== 'content-length' && name !== 'etag');
  outgoing.writeHead(statusCode, Object.fromEntries(kept)).end(html);
}
