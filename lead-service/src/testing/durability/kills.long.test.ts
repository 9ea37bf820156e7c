import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startService } from '../service-process.ts';
import { databaseKinds, type TestDatabase } from '../test-databases.ts';
import { untilLength } from '../until.ts';
import { PersistentSenders } from './persistent-senders.ts';

/** Concurrent connections, with the number of kills. */
const loads = [
  { senders: 64, kills: 20 },
  { senders: 1_024, kills: 10 },
] as const;
/** Maximum milliseconds before a kill. */
const maxLifetime = 250;

// Concurrent, because the tests mostly wait for the service to start.
describe('kill -9', { concurrency: 2 }, () => {
  for (const kind of databaseKinds) {
    for (const load of loads) {
      test(
        `every acknowledged lead is stored exactly once on ${kind.name}, at ${load.senders} connections`,
        kind.options,
        async (t) => {
          await using database = await kind.open();
          t.diagnostic(await surviveKills(database, load, randomInt(2 ** 32)));
        },
      );
    }
  }
});

/**
 * Kills a service repeatedly with SIGKILL while clients send leads, and then checks that every acknowledged lead is stored
 * once. Returns the figures as a line.
 */
async function surviveKills(
  database: TestDatabase,
  { senders, kills }: (typeof loads)[number],
  seed: number,
): Promise<string> {
  const random = randomNumbers(seed);
  const clients = new PersistentSenders();
  const environment = {
    ...database.environment,
    LEADS_PER_ADDRESS: '0',
    DELIVERY: 'off',
  };

  for (let kill = 0; kill < kills; kill += 1) {
    await using service = startService(environment);
    const sending = clients.sendUntilGone(await service.url(), senders);
    // Every second kill follows an acknowledged lead, so that slow machines also cover kills under load.
    if (kill % 2 === 0) await clients.nextAcknowledgement();
    await setTimeout(random() * maxLifetime);
    assert.equal((await service.crash()).signal, 'SIGKILL');
    await sending;
  }
  await using service = startService(environment);
  await clients.sendRest(await service.url());

  const { acknowledged, refusals } = clients;
  assert.deepEqual(refusals, []);
  const leads = await storedLeads(database, acknowledged.size);
  const messages = new Set(leads.map(({ message }) => message));
  const lost = [...acknowledged].filter((message) => !messages.has(message)).length;
  const duplicated = leads.length - messages.size;
  const outbox = await outboxRows(database);
  const figures = `${senders} connections, ${kills} × kill -9 (seed ${seed}): ${acknowledged.size} acknowledged, ${lost} lost, ${duplicated} duplicated`;

  assert.deepEqual({ lost, duplicated }, { lost: 0, duplicated: 0 }, figures);
  assert.ok(acknowledged.size > kills, figures);
  const expected = leads.map(({ id }) => `${id} sales-mail`);
  assert.deepEqual(outbox, expected, 'one set of deliveries for each lead');
  return figures;
}

/** Waits for the move of spooled leads. */
async function storedLeads(database: TestDatabase, atLeast: number) {
  await untilLength(() => database.leads(), atLeast);
  return database.leads();
}

async function outboxRows(database: TestDatabase): Promise<string[]> {
  return (await database.rows('outbox')).map(({ leadId, kind }) => `${leadId} ${kind}`).sort();
}

/** Pseudo-random numbers from 0 to 1, reproducible by seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
