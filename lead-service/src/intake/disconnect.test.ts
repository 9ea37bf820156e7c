import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { storeLead } from '../testing/admin-database.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { makeToken, serveAdministration } from '../testing/served-administration.ts';
import { serveDatabase } from '../testing/served-app.ts';
import { createSqlite } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';

const json = 'Host: localhost\r\nContent-Type: application/json\r\n';
const lead = JSON.stringify(sampleLead);

/** Request data that each client sends before it disconnects. */
const partialRequests = {
  'in a JSON body': `POST /api/contact HTTP/1.1\r\n${json}Content-Length: 1000\r\n\r\n{"name":`,
  'in a form': `POST /api/contact HTTP/1.1\r\n${json.replace('json', 'x-www-form-urlencoded')}Content-Length: 1000\r\n\r\nname=`,
  'in a chunk': `POST /api/contact HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\nff\r\n{"name":`,
  'in a report': `POST /api/telemetry HTTP/1.1\r\n${json}Content-Length: 1000\r\n\r\n{`,
  'before the answer': `POST /api/contact HTTP/1.1\r\n${json}Content-Length: ${lead.length}\r\n\r\n${lead}`,
  'before many answers': 'GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100),
} as const;

/** Sends the data, waits until the server has read it, and disconnects. */
async function sendAndDisconnect(url: string, sent: string, how: 'reset' | 'end' | 'destroy'): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  await new Promise<void>((resolve) => socket.write(sent, () => resolve()));
  // When the server has answered another request, it has read this one.
  await (await fetch(`${url}/healthz`)).text();
  if (how === 'reset') socket.resetAndDestroy();
  else if (how === 'end') socket.end();
  else socket.destroy();
  await new Promise((resolve) => socket.resume().once('close', resolve));
}

describe('client that disconnects', () => {
  for (const how of ['reset', 'end', 'destroy'] as const) {
    for (const [where, sent] of Object.entries(partialRequests)) {
      test(`${where} by ${how}: no error is logged, and the service keeps working`, async () => {
        await using database = await createSqlite();
        const app = await serveDatabase(database);
        await sendAndDisconnect(app.url, sent, how);
        assert.equal((await app.post('/api/contact', { ...sampleLead, name: 'The next' })).status, 201);
        // The shutdown waits for requests in flight.
        await app[Symbol.asyncDispose]();
        assert.doesNotMatch(app.lines.join('\n'), /response not delivered|unexpected|error=/);
      });
    }
  }

  test('during an export: no error is logged', async () => {
    await using database = await createSqlite();
    const token = makeToken('ada', ['export']);
    await using admin = await serveAdministration(database, [token]);
    for (let count = 0; count < 300; count += 1) {
      await storeLead(admin.context, { message: 'm'.repeat(5_000), id: `lead-${count}` });
    }
    const socket = connect(Number(new URL(admin.url).port), '127.0.0.1').on('error', () => undefined);
    socket.write(`GET /admin/api/export HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token.token}\r\n\r\n`);
    await new Promise((resolve) => socket.once('readable', resolve));
    socket.resetAndDestroy();
    await until(
      () => admin.service.lines,
      (lines) => lines.some((line) => line.includes('client disconnected')),
    );
    assert.deepEqual(admin.service.errors, []);
  });
});
