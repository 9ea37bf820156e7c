import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { PageReport, PartReport } from '@countersign/contracts/page-report';
import { pageReportPath } from '@countersign/contracts/page-report-path';
import { type LocalServer, startServer } from '../site/running-site.ts';

/** State of the page, recorded by a script in it. */
export interface RecordedPage {
  /** Errors and warnings in the console, uncaught errors, files that did not load, violations of the policy. */
  readonly errors: readonly string[];
  /**
   * Text of each slot from top to bottom when the HTML is parsed: the inline scripts have chosen the markup of canaries, and no
   * deferred script has run.
   */
  readonly slotTexts: readonly string[];
}

/** Global variable with the {@link RecordedPage}. */
export const recordedPageGlobal = 'recordedPage';

/** Runs as the first script of the page. It may use nothing from outside its own body. */
function recordPage(): void {
  const recorded = { errors: [] as string[], slotTexts: [] as string[] };
  // The name is `recordedPageGlobal`.
  Object.assign(globalThis, { recordedPage: recorded });
  for (const kind of ['error', 'warn'] as const) {
    const write = console[kind].bind(console);
    console[kind] = (...values: readonly unknown[]) => {
      recorded.errors.push(values.map(String).join(' '));
      write(...values);
    };
  }
  addEventListener(
    'error',
    (event) => {
      const { target } = event;
      const isFile = target instanceof Element;
      recorded.errors.push(isFile ? `did not load: ${target.outerHTML.slice(0, 200)}` : String(event.error));
    },
    { capture: true },
  );
  addEventListener('unhandledrejection', ({ reason }) => void recorded.errors.push(String(reason)));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    recorded.errors.push(`${violatedDirective} refuses ${blockedURI}`);
  });
  // The first change is to "interactive".
  document.addEventListener(
    'readystatechange',
    () => {
      for (const slot of document.querySelectorAll('[data-remote]'))
        recorded.slotTexts.push(slot.textContent);
    },
    { once: true },
  );
}

/** A site behind a proxy that records its pages, for engines without request interception. */
export interface RecordedSite extends LocalServer {
  /** Reports of parts that pages have sent so far. */
  readonly reports: readonly PartReport[];
  /** Holds requests whose path with its query matches, until `release`. One hold at a time. */
  hold(path: RegExp): { release(): void };
}

const recorderPath = '/recorder-of-the-test.js';
const recorder = `(${recordPage})();`;
const recorderIntegrity = `sha256-${createHash('sha256').update(recorder).digest('base64')}`;
/** The page's policy allows a script of its own origin with its hash. Nothing else in the page changes. */
const recorderElement = `<script src="${recorderPath}" integrity="${recorderIntegrity}" crossorigin="anonymous"></script>`;

export async function recordSite(siteUrl: string): Promise<RecordedSite> {
  const reports: PartReport[] = [];
  let holding: { readonly path: RegExp; readonly released: Promise<unknown> } | undefined;

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = incoming.url ?? '/';
    if (path === recorderPath) {
      outgoing.writeHead(200, { 'content-type': 'text/javascript' }).end(recorder);
      return;
    }
    if (holding?.path.test(path)) await holding.released;
    // Uncompressed, so that the recorder can be inserted.
    const forwarded = request(new URL(path, siteUrl), {
      method: incoming.method,
      headers: { ...incoming.headers, 'accept-encoding': 'identity' },
    });
    const responding = once(forwarded, 'response') as Promise<[IncomingMessage]>;
    // A request that fails also rejects what is awaited before it.
    responding.catch(() => undefined);
    if (path === pageReportPath) {
      const body = await text(incoming);
      reports.push(...(JSON.parse(body) as PageReport).parts);
      forwarded.end(body);
    } else {
      await pipeline(incoming, forwarded);
    }
    const [response] = await responding;
    await forward(response, outgoing);
  }

  const server = await startServer((incoming, outgoing) => {
    // A closed browser aborts its requests.
    respond(incoming, outgoing).catch(() => outgoing.destroy());
  }, 'localhost');
  return {
    ...server,
    reports,
    hold(path) {
      const releasing = new EventEmitter();
      holding = { path, released: once(releasing, 'release') };
      return { release: () => void releasing.emit('release') };
    },
  };
}

async function forward(response: IncomingMessage, outgoing: ServerResponse): Promise<void> {
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
