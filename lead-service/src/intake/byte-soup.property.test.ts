import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { leadPath, leadTypes } from '@countersign/contracts/lead';
import fc from 'fast-check';
import { hostService, type HostedService } from '../testing/hosted-service.ts';
import { sqlite } from '../testing/test-databases.ts';

const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));
/** Without the characters for which Node's parser refuses a request before the service sees it. */
const headerValue = fc
  .string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
    maxLength: 60,
  })
  .map((value) => value.replaceAll('\x7f', ''));
const header = fc.tuple(
  fc.constantFrom(
    'Accept',
    'Content-Encoding',
    'Content-Type',
    'Cookie',
    'Expect',
    'Host',
    'Idempotency-Key',
    'Origin',
    'Sec-Fetch-Site',
    'Transfer-Encoding',
    'X-Forwarded-For',
    'X-Something',
  ),
  fc.oneof(
    headerValue,
    fc.constantFrom('gzip', 'br', 'chunked', '"key"', '100-continue', 'null', '::1', '*/*', 'text/html;q=2'),
  ),
);
const contentType = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=latin1',
  'text/plain',
);
const field = fc.constantFrom('name', 'email', 'message', 'formToken', 'proof', 'attribution', '__proto__');
const body = fc.oneof(
  bytes,
  fc.json().map((text) => Buffer.from(text)),
  fc.json().map((text) => Buffer.from(text.slice(0, -1))),
  fc.dictionary(field, fc.jsonValue()).map((object) => Buffer.from(JSON.stringify(object))),
  fc.array(fc.tuple(field, fc.string())).map((pairs) => Buffer.from(new URLSearchParams(pairs).toString())),
  fc.nat(2_000).map((depth) => Buffer.from('['.repeat(depth))),
);

/** A request with a well-formed request line, but random headers and body. */
const nearlyRequest = fc
  .record({
    path: fc.constantFrom(...leadTypes.map(leadPath)),
    type: contentType,
    headers: fc.array(header, { maxLength: 4 }),
    body,
    /** Error of the Content-Length, in bytes. */
    lengthError: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.integer({ min: -3, max: 3 })),
  })
  .map(({ path, type, headers, body, lengthError }) => {
    const lines = [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      `Content-Type: ${type}`,
      `Content-Length: ${Math.max(0, body.length + lengthError)}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
    ];
    return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
  });

describe('random bytes', () => {
  let app: HostedService;
  before(async () => {
    // Reads X-Forwarded-For, and has no rate limit.
    app = await hostService(sqlite, { TRUSTED_PROXY_HOPS: '1', LEADS_PER_ADDRESS: '0' });
  });
  after(() => app[Symbol.asyncDispose]());

  /** Sends the bytes, ends the stream, and returns the statuses of all responses. Rejects if the connection stays open. */
  async function statuses(request: Buffer): Promise<string[]> {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    socket.setTimeout(60_000, () => socket.destroy(new Error('The connection stays open.')));
    socket.end(request);
    const answer = (await buffer(socket)).toString('latin1');
    return [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)]
      .map(([, status = '']) => status)
      .filter((it) => it !== '100');
  }

  for (const [kind, arbitrary, numRuns] of [
    ['random bytes', bytes, 100],
    ['a malformed request', nearlyRequest, 400],
  ] as const) {
    test(`only 4xx responses to ${kind}, and the connection closes`, async () => {
      let responses = 0;
      const property = fc.asyncProperty(arbitrary, async (request) => {
        for (const status of await statuses(request)) {
          assert.match(status, /^4\d\d$/);
          responses += 1;
        }
      });
      await fc.assert(property, { numRuns });
      assert.notEqual(responses, 0);
      assert.deepEqual(await app.database.leads(), []);
      assert.doesNotMatch(app.lines.join('\n'), /unexpected/);
    });
  }
});
