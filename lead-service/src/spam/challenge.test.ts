import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { honeypotField, type FormToken } from '@countersign/contracts/lead';
import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import { hostService, newestClassification, type HostedService } from '../testing/hosted-service.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { openForm } from '../testing/send-lead.ts';
import { databaseKinds, sqlite } from '../testing/test-databases.ts';

/** Fills in the honeypot twice, so that the network becomes suspicious. */
async function raiseDoubt(app: HostedService): Promise<void> {
  for (const message of ['Buy our first thing.', 'Buy our second thing.']) {
    assert.equal(
      (await app.post('/api/contact', { ...sampleLead, message, [honeypotField]: 'x' })).status,
      201,
    );
  }
}

/** Solves a challenge as a browser does. */
async function prove({ challenge }: FormToken): Promise<string> {
  const known = challenge as unknown as Challenge;
  const solution = await solveChallenge({ challenge: known, deriveKey });
  return btoa(JSON.stringify({ challenge, solution }));
}

for (const kind of databaseKinds) {
  describe(`proof of work on ${kind.name}`, kind.options, () => {
    test('is required only from a suspicious address, and lowers the spam score', async ({ mock }) => {
      // However slow the machine is, the lead comes within two seconds.
      mock.timers.enable({ apis: ['Date'], now: Date.now() });
      await using app = await hostService(kind);
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
      assert.deepEqual(await newestClassification(app), {
        reasons: '["sent within 2 seconds of opening the form","proof of work was given"]',
        held: false,
      });
    });

    test('is valid for one lead and its retries', async () => {
      await using app = await hostService(kind);
      await raiseDoubt(app);
      const form = await openForm(app);
      const evidence = { formToken: form.token, proof: await prove(form) };
      const first = { ...sampleLead, ...evidence };
      const another = { ...first, message: 'Please show me how something else works.' };

      await app.post('/api/contact', first, { 'idempotency-key': '"1"' });
      await app.post('/api/contact', first, { 'idempotency-key': '"2"' });
      assert.match((await newestClassification(app)).reasons, /proof of work was given/);

      await app.post('/api/contact', another, { 'idempotency-key': '"3"' });
      assert.match((await newestClassification(app)).reasons, /the proof of work was used before/);
    });
  });
}

describe('proof of work', () => {
  for (const [kind, proofOf, reason] of [
    ['that is missing', async () => undefined, /asked for and not given/],
    ['that is not JSON', async () => 'nonsense', /the proof of work is wrong/],
    ['without the required fields', async () => btoa('{"challenge":1}'), /the proof of work is wrong/],
    [
      'of another form token',
      async (app: HostedService) => prove(await openForm(app)),
      /the proof of work is wrong/,
    ],
    [
      'with a wrong solution',
      async (_app: HostedService, form: FormToken) =>
        btoa(JSON.stringify({ challenge: form.challenge, solution: { counter: 1, derivedKey: '00' } })),
      /the proof of work is wrong/,
    ],
    [
      'with a lower cost',
      async (_app: HostedService, form: FormToken) => {
        const proof = JSON.parse(atob(await prove(form))) as { challenge: { parameters: { cost: number } } };
        proof.challenge.parameters.cost = 1;
        return btoa(JSON.stringify(proof));
      },
      /the proof of work is wrong/,
    ],
  ] as const) {
    test(`${kind} raises the spam score, but the lead is stored`, async () => {
      await using app = await hostService(sqlite);
      await raiseDoubt(app);
      const form = await openForm(app);

      const proof = await proofOf(app, form);
      const answer = await app.post('/api/contact', { ...sampleLead, formToken: form.token, proof });

      assert.equal(answer.status, 201);
      assert.match((await newestClassification(app)).reasons, reason);
    });
  }
});

test('quarantine: same response as for any lead, stored with reasons, deliveries held', async () => {
  await using app = await hostService(sqlite);
  const good = await app.post('/api/trial', sampleLead);
  const bad = await app.post('/api/trial', { ...sampleLead, name: 'Ada L.', [honeypotField]: 'anything' });

  const shape = async (answer: Response) => ({
    status: answer.status,
    headers: [...answer.headers]
      .filter(([name]) => name !== 'date' && name !== 'x-request-id')
      .map(([name, value]) => [name, value.replaceAll(/r=\d+;t=\d+/g, '')]),
    body: (await answer.text()).replace(/[\da-f]{8}-[\da-f-]{27}/, 'id'),
  });
  assert.deepEqual(await shape(bad), await shape(good));

  const [stored, held] = await app.database.leads();
  assert.equal(stored?.quarantinedAt, null);
  assert.equal(held?.quarantinedAt, held?.receivedAt);
  assert.match(held?.spamReasons ?? '', /a field that people do not see was filled in/);
  const outbox = await app.database.rows('outbox', { leadId: held?.id ?? '' });
  assert.deepEqual([...new Set(outbox.map(({ state }) => state))], ['held']);
});
