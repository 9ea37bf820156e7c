import { realpath } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { basename, dirname, join } from 'node:path';
import type { ShellCanary } from '@countersign/contracts/release-document';
import { remoteNamePattern } from '@countersign/contracts/remotes';
import { deltaName } from '../store/delta-file.ts';
import {
  availableDictionary,
  fileDictionaryHeaders,
  pageDictionaryHeaders,
} from '../page/dictionary-headers.ts';
import { hashedPublicFile, pageFiles, publicFile } from '../store/page-files.ts';
import {
  partFileHeaders,
  publicFileHeaders,
  strictTransport,
  type HeaderValues,
} from '../page/security-headers.ts';
import { contentTypeOf } from '../page/content-types.ts';
import { errorMessage, undefinedIfMissing } from '../platform/errors.ts';
import { apiMethods, createApiProxy } from './api-proxy.ts';
import { chooseLandingPage } from './choose-landing-page.ts';
import { openSitePage, revalidate } from './open-site-page.ts';
import { sendFile } from './send-file.ts';
import type { SiteFiles } from './site-files.ts';

/** For files of published versions, which never change. */
const immutable = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/**
 * Path of a published file of a version, whose names need no escaping. Deltas are sent as answers for their files only. There are
 * no `..` segments in the path of a URL.
 */
const partFile = new RegExp(`^/(?:shell|${remoteNamePattern})/[\\w.+-]+/(?!deltas/)[\\w.-]+(?:/[\\w.-]+)*$`);

/** Timeouts for clients, in milliseconds. The lead service uses the same values. */
const defaultTimeouts = {
  /** For the headers of a request. */
  headersTimeout: 10_000,
  /** For a complete request, with its body. */
  requestTimeout: 30_000,
  /** For the next request on the same connection. */
  keepAliveTimeout: 65_000,
  /** Without a byte in either direction, such as a client that does not read. Longer than the lead service takes. */
  idleTimeout: 90_000,
  /** Between two checks of the first two timeouts. */
  connectionsCheckingInterval: 2_000,
};

/** Limit of all headers of a request, in bytes. Larger requests get 431. */
const maxHeaderSize = 16 * 1024;

/**
 * Serves releases: the page at `/`, stored releases at `/?release=<id>`, their preview pages for developers with
 * `preview`, and published files at `/<part>/<version>/`. Proxies `/api` to the lead service. Responds with the
 * 404 page to everything else, and with 500 to what it cannot read, of which it warns.
 */
export function createSiteServer(
  files: SiteFiles,
  leadServiceOrigin: string,
  warn: (message: string) => void,
  timeouts: Partial<typeof defaultTimeouts> = {},
): Server {
  const api = createApiProxy(leadServiceOrigin);

  const { idleTimeout, ...limits } = { ...defaultTimeouts, ...timeouts };
  const server = createServer({ ...limits, maxHeaderSize }, (request, response) => {
    // A failed read affects one request only.
    answer(request, response).catch((error: unknown) => {
      // The client has gone.
      if (response.closed) return;
      warn(`${request.method} ${request.url} could not be answered: ${errorMessage(error)}`);
      if (response.headersSent) return void response.destroy();
      // Those of the file that could not be sent.
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      sendText(response, 500, 'This cannot be shown now. Please try again in a moment.');
    });
  });
  return server.setTimeout(idleTimeout);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: asked = '', headers } = request;
    // Parsing normalises the path, as browsers do.
    const url = asked.startsWith('/') ? URL.parse(`http://site${asked}`) : null;
    const pathname = url?.pathname ?? '';
    const isApi = pathname === '/api' || pathname.startsWith('/api/');
    // The lead service sets its own headers.
    if (headers['x-forwarded-proto'] === 'https' && !isApi)
      response.setHeaders(new Map(Object.entries(strictTransport)));
    if (!url) return sendText(response, 400, 'This address cannot be read.');
    // All later steps, including the lead service, use the normalised target.
    const target = pathname + url.search;
    request.url = target;
    const methods = isApi ? apiMethods : ['GET', 'HEAD'];
    if (!methods.includes(request.method ?? '')) {
      response.setHeader('Allow', methods.join(', '));
      return sendText(response, 405, `This address takes ${methods.join(', ')} only.`);
    }
    if (isApi) return api(request, response);
    const send = () =>
      pathname === '/'
        ? sendPage(files, url.search.slice(1), response)
        : sendPublished(files, pathname, response);
    // A mirror of a bucket may fetch a missing file.
    const wasSent = (await send()) || ((await files.fetchMissing?.(target)) === true && (await send()));
    if (!wasSent) await sendNotFound(files, response);
  }
}

function sendText(response: ServerResponse, status: number, text: string): void {
  const type = { 'Content-Type': 'text/plain; charset=utf-8' };
  response.writeHead(status, { ...type, ...revalidate, ...partFileHeaders }).end(text);
}

/** Sends a page; resolves to whether there is one. Reads the query as written, without decoding. */
async function sendPage(files: SiteFiles, query: string, response: ServerResponse): Promise<boolean> {
  const { headers: requestHeaders } = response.req;
  const isPreview = /(?:^|&)preview(?:=|&|$)/.test(query);
  const [, releaseId] = /(?:^|&)release=([^&]*)/.exec(query) ?? [];
  const choose = (canary: ShellCanary | undefined) =>
    isPreview ? { name: pageFiles.preview } : chooseLandingPage(canary, query, requestHeaders);
  const page = await openSitePage(files, choose, releaseId);
  if (!page) return false;
  const { path, headers } = page;
  // A stored release or the preview page would replace the live page as the dictionary.
  if (isPreview || releaseId !== undefined) return sendFile(response, path, headers);
  return sendWithDelta(response, path, { ...headers, ...pageDictionaryHeaders(requestHeaders) });
}

/** Sends a public file or a file of a version; resolves to whether there is one. */
async function sendPublished(files: SiteFiles, pathname: string, response: ServerResponse): Promise<boolean> {
  const isPart = partFile.test(pathname);
  if (!isPart && !publicFile.test(pathname)) return false;
  // The immutable folder of the live release, because the link to it may change while a file is sent.
  const root = await undefinedIfMissing(realpath(files.pathOf(isPart ? 'parts' : 'current')));
  if (root === undefined) return false;
  const isImmutable = isPart || hashedPublicFile.test(pathname.slice(1));
  const headers = {
    'Content-Type': contentTypeOf(pathname),
    ...(isImmutable ? immutable : revalidate),
    ...(isPart ? partFileHeaders : publicFileHeaders),
  };
  const path = join(root, pathname);
  const dictionary = isImmutable ? fileDictionaryHeaders(pathname) : undefined;
  return dictionary
    ? sendWithDelta(response, path, { ...headers, ...dictionary })
    : sendFile(response, path, headers);
}

/**
 * Sends a file, or its difference to an earlier one. Deltas use compression dictionaries (RFC 9842): `Use-As-Dictionary` of a
 * response lets the browser keep the file as a dictionary, and a later request names it by its hash in `Available-Dictionary`.
 */
function sendWithDelta(response: ServerResponse, path: string, headers: HeaderValues): Promise<boolean> {
  const dictionary = availableDictionary(response.req.headers);
  const delta = dictionary && join(dirname(path), deltaName(dictionary, basename(path)));
  const Vary = ['Accept-Encoding, Available-Dictionary', headers['Vary'] ?? []].flat().join(', ');
  return sendFile(response, path, { ...headers, Vary }, { delta });
}

/** Sends the 404 page to requests that accept HTML, and plain text to others, such as scripts and stylesheets. */
async function sendNotFound(files: SiteFiles, response: ServerResponse): Promise<void> {
  const acceptsPages = response.req.headers.accept?.includes('text/html');
  const page = acceptsPages ? await openSitePage(files, () => ({ name: pageFiles.notFound })) : undefined;
  const wasSent = page && (await sendFile(response, page.path, page.headers, { status: 404 }));
  if (!wasSent) sendText(response, 404, 'Not found.');
}
