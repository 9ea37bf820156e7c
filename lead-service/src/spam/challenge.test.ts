import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { trapField, type FormToken } from '@countersign/contracts/lead';
import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import { openForm } from '../testing/form-token.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { serveDatabase, type ServedApp } from '../testing/served-app.ts';
import { newestVerdict, storedLeads } from '../testing/stored-leads.ts';
import { createSqlite, databaseKinds } from '../testing/test-databases.ts';

/** Does twice what no person does. */
async function raiseDoubt(app: ServedApp): Promise<void> {
  for (const message of ['Buy our first thing.', 'Buy our second thing.']) {
    assert.equal((await app.post('/api/contact', { ...sampleLead, message, [trapField]: 'x' })).status, 201);
  }
}

/** What a browser does with a challenge. */
async function prove({ challenge }: FormToken): Promise<string> {
  const known = challenge as unknown as Challenge;
  const solution = await solveChallenge({ challenge: known, deriveKey });
  return btoa(JSON.stringify({ challenge, solution }));
}

for (const kind of databaseKinds) {
  describe(`work before sending on ${kind.name}`, () => {
    test('is asked for only after an address has given reason to, and makes up for some of it', async () => {
      await using database = await kind.create();
      await using app = await serveDatabase(database);
      assert.equal((await openForm(app)).challenge, undefined);
      await raiseDoubt(app);

      const form = await openForm(app);
      assert.ok(form.challenge);
      const answer = await app.post('/api/contact', {
        ...sampleLead,
        formToken: form.token,
        proof: await prove(form),
      });

      assert.equal(answer.status, 201);
      assert.deepEqual(await newestVerdict(app), {
        reasons: '["sent within 2 seconds of opening the form","proof of work was given"]',
        held: false,
      });
    });

    test('is good for one lead, however often that one is sent', async () => {
      await using database = await kind.create();
      await using app = await serveDatabase(database);
      await raiseDoubt(app);
      const form = await openForm(app);
      const evidence = { formToken: form.token, proof: await prove(form) };
      const first = { ...sampleLead, ...evidence };
      const another = { ...first, message: 'Please show me how something else works.' };

      await app.post('/api/contact', first, { 'idempotency-key': '"1"' });
      await app.post('/api/contact', first, { 'idempotency-key': '"2"' });
      assert.match((await newestVerdict(app)).reasons, /proof of work was given/);

      await app.post('/api/contact', another, { 'idempotency-key': '"3"' });
      assert.match((await newestVerdict(app)).reasons, /the proof of work was used before/);
    });
  });
}

describe('work before sending', () => {
  for (const [what, proofOf, reason] of [
    ['that is left out', async () => undefined, /asked for and not given/],
    ['that is nonsense', async () => 'nonsense', /the proof of work is wrong/],
    ['that is no proof', async () => btoa('{"challenge":1}'), /the proof of work is wrong/],
    ['of another form', async (app: ServedApp) => prove(await openForm(app)), /the proof of work is wrong/],
    [
      'with a wrong solution',
      async (_app: ServedApp, form: FormToken) =>
        btoa(JSON.stringify({ challenge: form.challenge, solution: { counter: 1, derivedKey: '00' } })),
      /the proof of work is wrong/,
    ],
    [
      'on easier terms',
      async (_app: ServedApp, form: FormToken) => {
        const proof = JSON.parse(atob(await prove(form))) as { challenge: { parameters: { cost: number } } };
        proof.challenge.parameters.cost = 1;
        return btoa(JSON.stringify(proof));
      },
      /the proof of work is wrong/,
    ],
  ] as const) {
    test(`${what} speaks against the lead, which is stored all the same`, async () => {
      await using database = await createSqlite();
      await using app = await serveDatabase(database);
      await raiseDoubt(app);
      const form = await openForm(app);

      const proof = await proofOf(app, form);
      const answer = await app.post('/api/contact', { ...sampleLead, formToken: form.token, proof });

      assert.equal(answer.status, 201);
      assert.match((await newestVerdict(app)).reasons, reason);
    });
  }
});

test('a lead in quarantine is answered as any other, is stored with the reasons, and what it would send is held back', async () => {
  await using database = await createSqlite();
  await using app = await serveDatabase(database);
  const good = await app.post('/api/trial', sampleLead);
  const bad = await app.post('/api/trial', { ...sampleLead, name: 'Ada L.', [trapField]: 'anything' });

  const shape = async (answer: Response) => ({
    status: answer.status,
    headers: [...answer.headers]
      .filter(([name]) => name !== 'date' && name !== 'x-request-id')
      .map(([name, value]) => [name, value.replaceAll(/r=\d+;t=\d+/g, '')]),
    body: (await answer.text()).replace(/[\da-f]{8}-[\da-f-]{27}/, 'id'),
  });
  assert.deepEqual(await shape(bad), await shape(good));

  const [stored, held] = await storedLeads(app);
  assert.equal(stored?.quarantinedAt, null);
  assert.equal(held?.quarantinedAt, held?.receivedAt);
  assert.match(held?.spamReasons ?? '', /a field that people do not see was filled in/);
  const states = await app.stores.database.db
    .selectFrom('outbox')
    .select('state')
    .distinct()
    .where('leadId', '=', held?.id ?? '')
    .execute();
  assert.deepEqual(states, [{ state: 'held' }]);
});

test('the same message from many is noticed', async () => {
  await using database = await createSqlite();
  await using app = await serveDatabase(database);
  const message = 'We can put your company on the first page of every search.';
  for (const name of ['Ada', 'Bea', 'Cleo', 'Dora']) {
    await app.post('/api/contact', {
      ...sampleLead,
      name,
      message: message.replace(' ', name.length > 3 ? '  ' : ' '),
    });
  }
  assert.match((await newestVerdict(app)).reasons, /the same message came with 4 leads within a day/);
});
