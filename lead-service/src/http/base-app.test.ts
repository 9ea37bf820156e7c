import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { hostService, type HostedService } from '../testing/hosted-service.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { sqlite } from '../testing/test-databases.ts';

describe('error response', () => {
  let app: HostedService;
  before(async () => void (app = await hostService(sqlite)));
  after(() => app[Symbol.asyncDispose]());

  async function assertPlain(answer: Response, status: number, message: string): Promise<void> {
    assert.equal(answer.status, status);
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.equal(await answer.text(), message);
  }

  const notAnObject = 'The request body must be a JSON object.';
  for (const [kind, body] of [
    ['malformed JSON', '{"name": '],
    ['an empty body', ''],
    ['a list', '[]'],
    ['a number', '1'],
    ['null', 'null'],
  ] as const) {
    test(`to ${kind} is 400`, async () => {
      await assertPlain(await app.post('/api/contact', body), 400, notAnObject);
    });
  }

  test('to a body that does not match its Content-Encoding is 400, to an unknown one 415', async () => {
    const answer = await app.post('/api/contact', sampleLead, { 'content-encoding': 'gzip' });
    await assertPlain(answer, 400, notAnObject);
    const unknown = await app.post('/api/contact', sampleLead, { 'content-encoding': 'zip' });
    await assertPlain(unknown, 415, 'The body has an unknown Content-Encoding. Send it without.');
  });

  test('to an unknown path is 404', async () => {
    await assertPlain(await fetch(`${app.url}/api/other`), 404, 'There is nothing at this address.');
    for (const path of ['/', '/API/Contact']) {
      await assertPlain(await app.post(path, sampleLead), 404, 'There is nothing at this address.');
    }
  });

  test('to a wrong method is 405 with an Allow header', async () => {
    const answer = await fetch(`${app.url}/api/demo`);
    assert.equal(answer.headers.get('allow'), 'POST');
    await assertPlain(answer, 405, 'This address only answers POST.');
    assert.equal((await app.post('/healthz', '')).headers.get('allow'), 'HEAD, GET');
  });

  const tooLong = 'The message is too long: at most 96 kB can be sent.';
  test('to a body over 96 kB is 413, but 96 kB are read', async () => {
    const rest = JSON.stringify({ ...sampleLead, unknown: '' }).length;
    const unknown = 'm'.repeat(96 * 1024 - rest);
    assert.equal((await app.post('/api/contact', { ...sampleLead, unknown })).status, 201);
    await assertPlain(
      await app.post('/api/contact', { ...sampleLead, unknown: `${unknown}m` }),
      413,
      tooLong,
    );
  });

  test('to a chunked body over 96 kB is 413, and the connection stays usable', async () => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    const chunk = 'm'.repeat(0x100000);
    socket.write('POST /api/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n');
    socket.write(`Transfer-Encoding: chunked\r\n\r\n100000\r\n${chunk}\r\n0\r\n\r\n`);
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    const answers = await text(socket);
    assert.match(answers, new RegExp(`^HTTP/1.1 413 [^]*${tooLong}HTTP/1.1 200 [^]*ok$`));
  });

  for (const type of ['text/plain', 'multipart/form-data; boundary=x']) {
    test(`to a body of ${type} is 415`, async () => {
      const answer = await app.post('/api/contact', sampleLead, { 'content-type': type });
      assert.equal(answer.headers.get('accept'), 'application/json, application/x-www-form-urlencoded');
      await assertPlain(answer, 415, 'The request body must be sent as application/json.');
    });
  }

  test('to a submissionType that contradicts the path is 422', async () => {
    const answer = await app.post('/api/trial', { ...sampleLead, submissionType: 'demo' });
    await assertPlain(answer, 422, 'submissionType must be trial at this address.');
  });

  test('to an unexpected error is a plain 500, and the log omits its message', async () => {
    await app.database.execute(
      `create trigger broken before insert on leads begin select raise(fail, 'the password is 1234'); end`,
    );
    const answer = await app.post('/api/contact', { ...sampleLead, name: 'Breaker' });
    await app.database.execute('drop trigger broken');
    await assertPlain(answer, 500, 'Something went wrong on our side. Please try again later.');
    const log = app.lines.join('\n');
    assert.match(log, /unexpected error \(error=Error\b.*\n +at /);
    assert.doesNotMatch(log, /the password is 1234/);
  });

  test('is a problem document if the Accept header lists that type', async () => {
    const accept = 'text/html;q=0.5, application/problem+json';
    const answer = await app.post('/api/demo', { ...sampleLead, name: 'A', email: 1 }, { accept });

    assert.equal(answer.status, 422);
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
    assert.deepEqual(await answer.json(), {
      type: 'urn:problem-type:lead-service:invalid-lead',
      title: 'Invalid lead',
      status: 422,
      detail: 'Name must be at least 2 characters; Please enter a valid email address.',
      errors: [
        { field: 'name', message: 'Name must be at least 2 characters' },
        { field: 'email', message: 'Please enter a valid email address' },
      ],
    });
  });

  for (const accept of ['*/*', 'application/json', 'application/*', 'application/problem+json;q=0']) {
    test(`is plain text for Accept: ${accept}`, async () => {
      const answer = await fetch(`${app.url}/no`, { headers: { accept } });
      await assertPlain(answer, 404, 'There is nothing at this address.');
    });
  }
});
