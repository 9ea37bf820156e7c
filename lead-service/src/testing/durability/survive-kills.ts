import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { connect } from '../../database/database.ts';
import { accessDatabase } from '../../database/dialects.ts';
import { createMemoryLog } from '../memory-log.ts';
import { startService } from '../service-process.ts';
import type { TestDatabase } from '../test-databases.ts';
import { until } from '../until.ts';
import { PersistentSenders } from './persistent-senders.ts';
import { randomNumbers } from './random-numbers.ts';

/** Number of kills. */
const kills = 50;
const senders = 24;
/** Maximum milliseconds before a kill. */
const maxLifetime = 250;

/**
 * Kills a service repeatedly with SIGKILL while clients send leads, and then checks that every acknowledged lead is stored
 * once. Returns the figures as a line.
 */
export async function surviveKills(database: TestDatabase, seed: number): Promise<string> {
  const random = randomNumbers(seed);
  const clients = new PersistentSenders();
  const environment = {
    ...database.environment,
    LEADS_PER_ADDRESS: '0',
    LEADS_PER_NETWORK: '0',
    DELIVERY: 'off',
  };

  for (let kill = 0; kill < kills; kill += 1) {
    await using service = startService(environment);
    const sending = clients.sendUntilGone(await service.url(), senders);
    // Every second kill follows an acknowledged lead, so that slow machines also cover kills under load.
    if (kill % 2 === 0) await clients.nextAcknowledgement();
    await setTimeout(random() * maxLifetime);
    service.child.kill('SIGKILL');
    assert.equal((await service.exit).signal, 'SIGKILL');
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
  const figures = `${kills} × kill -9 (seed ${seed}): ${acknowledged.size} acknowledged, ${lost} lost, ${duplicated} duplicated`;

  assert.deepEqual({ lost, duplicated }, { lost: 0, duplicated: 0 }, figures);
  assert.ok(acknowledged.size > kills, figures);
  const expected = leads.flatMap(({ id }) => [`${id} confirmation-mail`, `${id} sales-mail`]);
  assert.deepEqual(outbox, expected, 'one set of deliveries for each lead');
  return figures;
}

/** Waits for the move of spooled leads. */
async function storedLeads(database: TestDatabase, atLeast: number) {
  await until(
    async () => (await database.leads()).length,
    (value) => value >= atLeast,
  );
  return database.leads();
}

async function outboxRows({ location }: TestDatabase): Promise<string[]> {
  const { db, close } = connect(accessDatabase(location, createMemoryLog()));
  const rows = await db.selectFrom('outbox').select(['leadId', 'kind']).execute();
  await close();
  return rows.map(({ leadId, kind }) => `${leadId} ${kind}`).sort();
}
