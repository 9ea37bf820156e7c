import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { hostService, logIn, makeToken, withTokens } from '../testing/hosted-service.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { storeLead } from '../testing/store-lead.ts';
import { sqlite } from '../testing/test-databases.ts';

const json = 'Host: localhost\r\nContent-Type: application/json\r\n';
const lead = JSON.stringify(sampleLead);

/** Request data that each client sends before it disconnects. */
const partialRequests = {
  'in a JSON body': `POST /api/contact HTTP/1.1\r\n${json}Content-Length: 1000\r\n\r\n{"name":`,
  'in a form': `POST /api/contact HTTP/1.1\r\n${json.replace('json', 'x-www-form-urlencoded')}Content-Length: 1000\r\n\r\nname=`,
  'in a chunk': `POST /api/contact HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\nff\r\n{"name":`,
  'in a report': `POST /api/page-reports HTTP/1.1\r\n${json}Content-Length: 1000\r\n\r\n{`,
  'before the answer': `POST /api/contact HTTP/1.1\r\n${json}Content-Length: ${lead.length}\r\n\r\n${lead}`,
  'before many answers': 'GET /api/contact/thanks HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100),
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
  for (const [where, sent] of Object.entries(partialRequests)) {
    test(`${where}: only a whole lead is stored, and no error is logged`, async () => {
      await using app = await hostService(sqlite);
      for (const how of ['reset', 'end', 'destroy'] as const) {
        await sendAndDisconnect(app.url, sent, how);
        assert.equal((await app.post('/api/contact', { ...sampleLead, name: `After ${how}` })).status, 201);
      }
      const names = (await app.database.leads()).map(({ name }) => name);
      assert.equal(
        names.includes(sampleLead.name),
        where === 'before the answer',
        'whether its lead is stored',
      );
      // The shutdown waits for requests in flight.
      await app.stop();
      assert.doesNotMatch(app.lines.join('\n'), /response not delivered|unexpected|error=/);
    });
  }

  test('during an export: no error is logged', async () => {
    const token = makeToken('ada', ['read', 'export']);
    await using admin = await hostService(sqlite, withTokens(token));
    // More than the buffers of both sockets hold. Otherwise, the whole export can be sent before the client disconnects.
    for (let count = 0; count < 40; count += 1) {
      await storeLead(admin.database, { message: 'm'.repeat(500_000), id: `lead-${count}` });
    }
    const cookie = await logIn(admin.adminUrl, token.token);
    const { host, port } = new URL(admin.adminUrl);
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    socket.write(`GET /admin/inbox/export HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`);
    await new Promise((resolve) => socket.once('readable', resolve));
    socket.resetAndDestroy();
    await admin.line('client disconnected');
    assert.doesNotMatch(admin.lines.join('\n'), /response not delivered|unexpected|error=/);
  });
});
