import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { S3Store } from '../store/s3-store.ts';
import { startStubService, type OpenServer } from './stub-service.ts';

const testBucket = 'releases';
const testKey = 'test';

export type ObjectServer = Awaited<ReturnType<typeof startObjectServer>>;

/**
 * Starts an S3 server that keeps objects in memory, with a store in a bucket of it. Disposing of it stops the server.
 *
 * @param pageSize keys in an answer to a list; by default so few that lists need several requests
 */
export async function startObjectServer(pageSize = 3) {
  const stored: Objects = new Map();
  const server = await startStubService(
    (request, response) => void answer(stored, pageSize, request, response),
  );
  const location = { bucket: testBucket, prefix: 'site/' };
  const credentials = { accessKeyId: testKey, secretAccessKey: 'test' };
  const settings = { region: 'us-east-1', credentials };
  return {
    objects: new S3Store({ ...location, endpoint: server.origin }, settings),
    origin: server.origin,
    /** The store `objects`, through a proxy. By default its client does not repeat requests. */
    through: ({ origin }: OpenServer, maxAttempts = 1) =>
      new S3Store({ ...location, endpoint: origin }, { ...settings, maxAttempts }),
    /** Environment variables of a command that uses the store. */
    environment: {
      STORE_URL: `s3://${testBucket}/site`,
      S3_ENDPOINT: server.origin,
      AWS_REGION: settings.region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

interface StoredObject {
  readonly bytes: Buffer;
  /** With quotation marks. */
  readonly tag: string;
}

/** Key → object of the one bucket. */
type Objects = Map<string, StoredObject>;

/**
 * The operations of the S3 API that the store uses: `GET`, `PUT` with its conditions, `DELETE` and
 * `ListObjectsV2`. Requests without the key are refused, but signatures are not checked. A request changes an object only after its
 * whole body has come.
 */
async function answer(
  objects: Objects,
  pageSize: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const body = await buffer(request).catch(() => undefined);
  if (body === undefined) return void response.destroy();
  const [, bucket, key] = /^\/([^/]*)\/?(.*)$/.exec(decodeURIComponent(url.pathname)) ?? [];
  const found = objects.get(key ?? '');
  const refuse = (status: number, code: string) =>
    response.writeHead(status, xml).end(`<Error><Code>${code}</Code></Error>`);
  if (!request.headers.authorization?.includes(`Credential=${testKey}/`))
    return void refuse(403, 'AccessDenied');
  if (bucket !== testBucket || key === undefined) return void refuse(404, 'NoSuchBucket');
  switch (request.method) {
    case 'PUT': {
      const { 'if-none-match': noneMatch, 'if-match': match } = request.headers;
      if (match !== undefined && !found) return void refuse(404, 'NoSuchKey');
      const holds = (noneMatch === undefined || !found) && (match === undefined || match === found?.tag);
      if (!holds) return void refuse(412, 'PreconditionFailed');
      const tag = `"${createHash('md5').update(body).digest('hex')}"`;
      objects.set(key, { bytes: body, tag });
      return void response.writeHead(200, { ETag: tag }).end();
    }
    case 'DELETE':
      objects.delete(key);
      return void response.writeHead(204).end();
    default:
      if (key === '')
        return void response.writeHead(200, xml).end(listPage(objects, pageSize, url.searchParams));
      if (!found) return void refuse(404, 'NoSuchKey');
      if (request.headers['if-none-match'] === found.tag) return void response.writeHead(304).end();
      response.writeHead(200, { ETag: found.tag, 'Content-Length': found.bytes.length });
      return void response.end(found.bytes);
  }
}

const xml = { 'Content-Type': 'application/xml' };

/** A page of `ListObjectsV2`, which continues after the key that is its token. */
function listPage(objects: Objects, pageSize: number, query: URLSearchParams): string {
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .sort();
  const page = keys.slice(0, pageSize);
  const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`);
  const next =
    page.length < keys.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return `<ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`;
}

/** Sends a request on to a server, for a proxy that disturbs some of them. Resolves to the answer. */
export async function forward(request: IncomingMessage, endpoint: string): Promise<IncomingMessage> {
  const { method, url, headers } = request;
  const { hostname, port } = new URL(endpoint);
  const asking = ask({ hostname, port, method, path: url, headers, agent: false });
  asking.end(await buffer(request));
  const [answer] = await once(asking, 'response');
  return answer;
}
