import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostService } from '../testing/hosted-service.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { onEachDatabase, sqlite } from '../testing/test-databases.ts';

const key = { 'idempotency-key': '"a key \\"of mine\\""' };

onEachDatabase('idempotency: a repeated lead', (test) => {
  test('in another Unicode form, address spelling or page version is one lead', async (database) => {
    await using app = await hostService(database);
    const lead = { ...sampleLead, name: 'Zo\u00eb M\u00fcller', email: 'zoe@xn--bcher-kva.de' };
    for (const again of [
      lead,
      { ...lead, name: 'Zoe\u0308 Mu\u0308ller' },
      { ...lead, email: 'ZOE@BÜCHER.DE' },
      { ...lead, attribution: { parts: [{ part: 'shell', version: '1.0.0', group: 'stable' }], gclid: '1' } },
    ]) {
      assert.equal((await app.post('/api/demo', again)).status, 201);
    }
    assert.equal((await app.database.leads()).length, 1);
  });

  test('under the key of a different lead gets 422', async (database) => {
    await using app = await hostService(database);
    const different = { ...sampleLead, message: 'Something else altogether.' };
    const answers = await Promise.all([
      app.post('/api/demo', sampleLead, key),
      app.post('/api/demo', different, key),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422]);
    const answer = await app.post('/api/trial', sampleLead, key);
    const refusal =
      'Something else was sent under this Idempotency-Key before. Send it again under a new one.';
    assert.deepEqual([answer.status, await answer.text()], [422, refusal]);
    assert.equal((await app.database.leads()).length, 1);
  });
});

test('idempotency: a key other than a structured string of 1 to 255 characters gets 400', async () => {
  await using app = await hostService(sqlite);
  const send = (key: string) => app.post('/api/contact', sampleLead, { 'idempotency-key': key });

  const tooLong = `"${'k'.repeat(256)}"`;
  const malformed = ['', 'a', '"', '""', '"a', 'a"', '"a"b"', '"a\\"', '"\\a"', '1', ':YQ==:', tooLong];
  const refusal = 'The Idempotency-Key must be a text of 1 to 255 characters in double quotes.';
  for (const key of malformed) {
    const answer = await send(key);
    assert.deepEqual([answer.status, await answer.text()], [400, refusal], key);
  }
  assert.equal((await send(`"${'k'.repeat(255)}"`)).status, 201);
});
