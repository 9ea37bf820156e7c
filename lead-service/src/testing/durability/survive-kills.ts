import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { createMemoryLog } from '../testing/memory-log.ts';
import { startService } from '../testing/service-process.ts';
import type { TestDatabase } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';
import { connect } from '../store/database.ts';
import { accessDatabase } from '../store/dialects.ts';
import { PersistentSenders } from './persistent-senders.ts';
import { randomNumbers } from './random-numbers.ts';

/** How many times the service is killed. */
const kills = 50;
const senders = 24;
/** At most that many milliseconds pass before a service is killed. */
const longestLife = 250;

/**
 * Kills a service with SIGKILL again and again while leads are being sent to it, and looks afterwards for every lead
 * that was acknowledged. Returns the figures, as a line.
 */
export async function surviveKills(database: TestDatabase, seed: number): Promise<string> {
  const random = randomNumbers(seed);
  const people = new PersistentSenders();
  const environment = {
    ...database.environment,
    LEADS_PER_ADDRESS: '0',
    LEADS_PER_NETWORK: '0',
    DELIVERY: 'off',
  };

  for (let kill = 0; kill < kills; kill += 1) {
    await using service = startService(environment);
    const sending = people.sendUntilGone(await service.url(), senders);
    // Half of them with their first leads, the others in the midst of things, however slow the machine is.
    if (kill % 2 === 0) await people.nextThanks();
    await setTimeout(random() * longestLife);
    service.child.kill('SIGKILL');
    assert.equal((await service.exit).signal, 'SIGKILL');
    await sending;
  }
  await using service = startService(environment);
  await people.sendRest(await service.url());

  const { acknowledged, refusals } = people;
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

/** Those that wait in the spool come by themselves. */
async function storedLeads(database: TestDatabase, atLeast: number) {
  await until(async () => (await database.leads()).length >= atLeast);
  return database.leads();
}

async function outboxRows({ location }: TestDatabase): Promise<string[]> {
  const { db, close } = connect(accessDatabase(location, createMemoryLog()));
  const rows = await db.selectFrom('outbox').select(['leadId', 'kind']).execute();
  await close();
  return rows.map(({ leadId, kind }) => `${leadId} ${kind}`).sort();
}
