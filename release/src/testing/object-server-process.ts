/**
 * Runs S3rver, an S3 server for tests, over a folder, and prints the address to speak to. S3rver ignores the conditions
 * of a write, and a reader can meet an object that is half written. What stands before it here does what other servers
 * do themselves: one request per object at a time, and none that writes unless its condition holds.
 */
import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import S3rver from '@20minutes/s3rver';
import { listen } from '../listen.ts';
import { testBucket } from './object-server.ts';

const [directory = ''] = process.argv.slice(2);
const s3 = new S3rver({
  directory,
  address: '127.0.0.1',
  port: 0,
  silent: true,
  // It signs the address of a bucket in another way than clients do.
  allowMismatchedSignatures: true,
  configureBuckets: [{ name: testBucket }],
});
const { port: inner } = await s3.run();

/** The last request of each object. */
const queues = new Map<string, Promise<void>>();

const front = createServer((request, response) => {
  const [path = ''] = (request.url ?? '').split('?', 1);
  // A request counts when all of it has arrived.
  const arrived = buffer(request);
  const turn = Promise.all([arrived, queues.get(path)])
    .then(([body]) => answer(path, request, body, response))
    .catch(() => void response.destroy());
  queues.set(path, turn);
});
const port = await listen(front, 0, 'PORT');
process.on('disconnect', () => process.exit());
console.log(`http://127.0.0.1:${port}`);

async function answer(
  path: string,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'PUT' && !(await conditionHolds(path, request))) {
    response.writeHead(412, { 'Content-Type': 'application/xml' });
    response.end(
      '<Error><Code>PreconditionFailed</Code><Message>The condition does not hold.</Message></Error>',
    );
    return;
  }
  const { method = 'GET', url = '/', headers } = request;
  const answered = await send(method, url, headers, body);
  response.writeHead(answered.statusCode ?? 500, answered.headers);
  response.end(await buffer(answered));
}

async function conditionHolds(path: string, { headers }: IncomingMessage): Promise<boolean> {
  const { 'if-none-match': noneMatch, 'if-match': match } = headers;
  if (noneMatch === undefined && match === undefined) return true;
  const { statusCode, headers: found } = await send('HEAD', path, {}, Buffer.alloc(0));
  return match === undefined ? statusCode === 404 : statusCode === 200 && found.etag === match;
}

async function send(
  method: string,
  path: string,
  headers: IncomingMessage['headers'],
  body: Buffer,
): Promise<IncomingMessage> {
  const asking = ask({ host: '127.0.0.1', port: inner, method, path, headers, agent: false });
  asking.end(body);
  const [answered] = await once(asking, 'response');
  if (method === 'HEAD') answered.resume();
  return answered;
}
