import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
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

interface AcceptResult {
  readonly status: number;
  readonly body: string;
  readonly replayed: boolean;
}

for (const kind of databaseKinds) {
  describe(`idempotency: up to five equal requests on ${kind.name}`, kind.options, () => {
    let database: TestDatabase;
    const secondDirectory = mkdtempSync(join(tmpdir(), 'lead-service-'));
    const apps: HostedService[] = [];
    let count = 0;

    before(async () => {
      database = await kind.open();
      const unlimited = { LEADS_PER_ADDRESS: '0' };
      apps.push(await hostService(database, unlimited));
      // Only one instance may use a SQLite database.
      if (database.location.kind === 'postgres') {
        apps.push(await hostService(database, { ...unlimited, DATA_DIR: secondDirectory }));
      }
    });
    after(async () => {
      for (const app of apps) await app[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      rmSync(secondDirectory, { recursive: true });
    });

    function instance(number: number): HostedService {
      return apps[number % apps.length] ?? assert.fail('no instance is running');
    }

    /** Sends a lead and retries on 409, as the form does. */
    async function send(to: number, lead: object, headers: Record<string, string>): Promise<AcceptResult> {
      for (;;) {
        const answer = await instance(to).post('/api/trial', lead, headers);
        const body = await answer.text();
        if (answer.status !== 409) {
          return { status: answer.status, body, replayed: answer.headers.has('idempotency-replayed') };
        }
      }
    }

    for (const withKey of [true, false]) {
      test(`${withKey ? 'under one key' : 'without a key'} create one lead with one set of mails, in any interleaving`, async () => {
        const property = fc.asyncProperty(attempts, async (schedule) => {
          count += 1;
          const lead = { ...sampleLead, message: `Please call me back about offer ${count}.` };
          const headers: Record<string, string> = withKey ? { 'idempotency-key': `"${count}"` } : {};

          const sent: Promise<AcceptResult>[] = [];
          for (const { turns, afterAnswer, instance } of schedule) {
            if (afterAnswer) await sent.at(-1);
            for (let turn = 0; turn < turns; turn += 1) await setImmediate();
            sent.push(send(instance, lead, headers));
          }
          const results = await Promise.all(sent);

          const [first] = results;
          for (const { status, body } of results) {
            assert.equal(status, 201);
            assert.equal(body, first?.body);
          }
          assert.equal(results.filter(({ replayed }) => !replayed).length, 1);
          const { id } = leadAccepted.parse(JSON.parse(first?.body ?? ''));
          const { db } = database;
          const leads = await db
            .selectFrom('leads')
            .select('id')
            .where('message', '=', lead.message)
            .execute();
          assert.deepEqual(leads, [{ id }]);
          const outbox = await db.selectFrom('outbox').select('kind').where('leadId', '=', id).execute();
          assert.deepEqual(
            outbox.map((row) => row.kind),
            ['sales-mail'],
          );
        });
        await fc.assert(property, { numRuns: 40 });
      });
    }
  });
}
