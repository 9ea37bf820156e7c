import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseLeadFilter } from '../lead-admin/lead-filter.ts';
import { listLeads } from '../lead-admin/read-leads.ts';
import { createDirectStore } from '../lead-store/lead-store.ts';
import { noopLog } from '../platform/log.ts';
import { hostService } from '../testing/hosted-service.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { serveIntake } from '../testing/served-app.ts';
import { databaseKinds, sqlite } from '../testing/test-databases.ts';
import { createIntake } from './intake.ts';

const key = { 'idempotency-key': '"a key \\"of mine\\""' };

for (const kind of databaseKinds) {
  describe(`idempotency: a repeated lead on ${kind.name}`, kind.options, () => {
    test('in another Unicode form or capitalisation of the address is one lead, which a search finds', async () => {
      await using app = await hostService(kind);
      const lead = { ...sampleLead, name: 'Zo\u00eb M\u00fcller', email: 'zoe@example.com' };
      for (const again of [
        lead,
        { ...lead, name: 'Zoe\u0308 Mu\u0308ller' },
        { ...lead, email: 'ZOE@EXAMPLE.COM' },
      ]) {
        assert.equal((await app.post('/api/demo', again)).status, 201);
      }
      assert.equal((await app.database.leads()).length, 1);
      const filter = parseLeadFilter({});
      for (const text of ['Zo\u00eb', 'Zoe\u0308']) {
        assert.equal((await listLeads(app.database.admin, { filter, text, limit: 9 })).leads.length, 1, text);
      }
    });

    test('under the key of a different lead gets 422', async () => {
      await using app = await hostService(kind);
      await app.post('/api/demo', sampleLead, key);

      const other = await app.post(
        '/api/demo',
        { ...sampleLead, message: 'Something else altogether.' },
        key,
      );
      const elsewhere = await app.post('/api/trial', sampleLead, key);

      for (const answer of [other, elsewhere]) {
        assert.equal(answer.status, 422);
        assert.equal(
          await answer.text(),
          'Something else was sent under this Idempotency-Key before. Send it again under a new one.',
        );
      }
      assert.equal((await app.database.leads()).length, 1);
    });

    test('under two keys is two leads', async () => {
      await using app = await hostService(kind);
      await app.post('/api/demo', sampleLead, { 'idempotency-key': '"1"' });
      await app.post('/api/demo', sampleLead, { 'idempotency-key': '"2"' });
      assert.equal((await app.database.leads()).length, 2);
    });
  });
}

test('idempotency: a lead whose key is in flight gets 409', async () => {
  const begun = Promise.withResolvers<undefined>();
  const goOn = Promise.withResolvers<undefined>();
  await using database = await sqlite.open();
  const store = createDirectStore(database, noopLog);
  const intake = createIntake(
    {
      async add(lead) {
        begun.resolve(undefined);
        await goOn.promise;
        return await store.add(lead);
      },
    },
    () => [],
    noopLog,
  );
  await using app = await serveIntake(intake);

  const first = app.post('/api/contact', sampleLead, key);
  await begun.promise;
  const second = await app.post('/api/contact', sampleLead, key);
  goOn.resolve(undefined);

  assert.equal(second.status, 409);
  assert.match(second.headers.get('retry-after') ?? '', /^\d+$/);
  assert.equal(await second.text(), 'Your request is being sent already. Please wait a moment.');
  assert.equal((await first).status, 201);
  const third = await app.post('/api/contact', sampleLead, key);
  assert.equal(third.headers.get('idempotency-replayed'), 'true');
});

test('idempotency: a key other than a structured string of 1 to 255 characters gets 400', async () => {
  await using app = await hostService(sqlite);
  const send = (key: string) => app.post('/api/contact', sampleLead, { 'idempotency-key': key });

  const tooLong = `"${'k'.repeat(256)}"`;
  for (const malformed of [
    '',
    'a',
    '"',
    '""',
    '"a',
    'a"',
    '"a"b"',
    '"a\\"',
    '"\\a"',
    '1',
    ':YQ==:',
    tooLong,
  ]) {
    const answer = await send(malformed);
    assert.equal(answer.status, 400, malformed);
    assert.equal(
      await answer.text(),
      'The Idempotency-Key must be a text of 1 to 255 characters in double quotes.',
    );
  }
  assert.equal((await send(`"${'k'.repeat(255)}"`)).status, 201);
});
