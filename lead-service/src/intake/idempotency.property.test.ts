import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { leadAccepted } from '@countersign/contracts/lead';
import fc from 'fast-check';
import { hostService, type HostedService } from '../testing/hosted-service.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { databaseKinds, type TestDatabase } from '../testing/test-databases.ts';

/** Schedule of equal requests. Each is sent some event-loop turns after the previous one, or after its response. */
const attempts = fc.array(
  fc.record({
    turns: fc.nat(30),
    afterAnswer: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
    // Which of two instances gets the request, if there are two.
    instance: fc.nat(1),
  }),
  { minLength: 2, maxLength: 5 },
);

/** Starts the service on a database: two instances, or one on SQLite, which only one may use. */
async function startInstances(database: TestDatabase): Promise<readonly HostedService[]> {
  const unlimited = { LEADS_PER_ADDRESS: '0' };
  const first = await hostService(database, unlimited);
  if (database.location.kind === 'sqlite') return [first];
  const directory = join(database.dataDirectory, 'second');
  return [first, await hostService(database, { ...unlimited, DATA_DIR: directory })];
}

async function send(app: HostedService, lead: object, headers: Record<string, string>) {
  const answer = await app.post('/api/trial', lead, headers);
  const replayed = answer.headers.has('idempotency-replayed');
  return { status: answer.status, body: await answer.text(), replayed };
}

for (const kind of databaseKinds) {
  for (const withKey of [true, false]) {
    const sent = withKey ? 'under one key' : 'without a key';
    test(
      `idempotency: interleaved requests ${sent} create one lead and its mails on ${kind.name}`,
      kind.options,
      async () => {
        await using database = await kind.open();
        await using stopping = new AsyncDisposableStack();
        const apps = await startInstances(database);
        for (const app of apps) stopping.use(app);
        let count = 0;
        const property = fc.asyncProperty(attempts, async (schedule) => {
          count += 1;
          const lead = { ...sampleLead, message: `Please call me back about offer ${count}.` };
          const headers: Record<string, string> = withKey ? { 'idempotency-key': `"${count}"` } : {};

          const sending: ReturnType<typeof send>[] = [];
          for (const { turns, afterAnswer, instance } of schedule) {
            if (afterAnswer) await sending.at(-1);
            for (let turn = 0; turn < turns; turn += 1) await setImmediate();
            sending.push(send(apps[instance % apps.length] ?? assert.fail(), lead, headers));
          }
          const results = await Promise.all(sending);

          const [first] = results;
          for (const { status, body } of results) {
            assert.equal(status, 201);
            assert.equal(body, first?.body);
          }
          assert.equal(results.filter(({ replayed }) => !replayed).length, 1);
          const { id } = leadAccepted.parse(JSON.parse(first?.body ?? ''));
          const leads = await database.rows('leads', { message: lead.message });
          const outbox = await database.rows('outbox', { leadId: id });
          const stored = [leads.map((row) => row.id), outbox.map((row) => row.kind)];
          assert.deepEqual(stored, [[id], ['sales-mail']]);
        });
        await fc.assert(property, { numRuns: 40 });
      },
    );
  }
}
