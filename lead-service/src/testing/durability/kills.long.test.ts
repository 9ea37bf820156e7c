import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { describe, test } from 'node:test';
import { sendLead } from '../send-lead.ts';
import { startService } from '../service-process.ts';
import { databaseKinds, type TestDatabase } from '../test-databases.ts';
import { untilLength } from '../until.ts';

/** Concurrent connections, with the number of kills. */
const loads = [
  { senders: 64, kills: 10 },
  { senders: 1_024, kills: 5 },
] as const;
/** Maximum number of acknowledged leads before a kill. */
const maxAcknowledged = 300;
/** Milliseconds. A running service acknowledges a lead sooner on any machine. */
const maxWait = 300_000;

// Concurrent, because the tests mostly wait for the service to start.
describe('kill -9', { concurrency: 2 }, () => {
  for (const kind of databaseKinds) {
    for (const load of loads) {
      test(
        `every acknowledged lead is stored exactly once on ${kind.name}, at ${load.senders} connections`,
        kind.options,
        async (t) => {
          await using database = await kind.open();
          t.diagnostic(await surviveKills(database, load));
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
): Promise<string> {
  const clients = new PersistentSenders();
  const environment = { ...database.environment, LEADS_PER_ADDRESS: '0', DELIVERY: 'off' };
  for (let kill = 0; kill < kills; kill += 1) {
    await using service = startService(environment);
    const sending = clients.sendUntilGone(await service.url(), senders);
    // The first kill meets the first requests, the others a commit in the middle of the load.
    if (kill > 0) await clients.acknowledgements(Math.ceil(Math.random() * maxAcknowledged));
    assert.equal((await service.crash()).signal, 'SIGKILL');
    await sending;
  }
  await using service = startService(environment);
  await clients.sendRest(await service.url());

  const { acknowledged, refusals } = clients;
  assert.deepEqual(refusals, []);
  // Spooled leads are moved first.
  await untilLength(() => database.leads(), acknowledged.size);
  const leads = await database.leads();
  const messages = new Set(leads.map(({ message }) => message));
  const lost = [...acknowledged].filter((message) => !messages.has(message)).length;
  const duplicated = leads.length - messages.size;
  const figures = `${senders} connections, ${kills} × kill -9: ${acknowledged.size} acknowledged, ${lost} lost, ${duplicated} duplicated`;

  assert.deepEqual({ lost, duplicated }, { lost: 0, duplicated: 0 }, figures);
  assert.ok(acknowledged.size > kills, figures);
  const outbox = (await database.rows('outbox')).map(({ leadId, kind }) => `${leadId} ${kind}`);
  const expected = leads.map(({ id }) => `${id} sales-mail`);
  assert.deepEqual(outbox.toSorted(), expected, 'one set of deliveries for each lead');
  return figures;
}

/**
 * Clients that send one lead after another, each with a message of its own. A client without an answer resends its lead later with the
 * same key, like the form.
 */
class PersistentSenders {
  /** Messages of all acknowledged leads. */
  readonly acknowledged = new Set<string>();
  /** All other answers. Expected to be empty. */
  readonly refusals: string[] = [];
  readonly #unanswered: number[] = [];
  readonly #acknowledgements = new EventEmitter();
  #count = 0;

  /** Sends with this concurrency until the service is gone. */
  async sendUntilGone(url: string, senders: number): Promise<void> {
    await Promise.all(
      Array.from({ length: senders }, async () => {
        while (await this.#send(url, this.#unanswered.shift() ?? (this.#count += 1)));
      }),
    );
  }

  /** Resolves after so many further acknowledged leads. Rejects after a timeout. */
  async acknowledgements(count: number): Promise<void> {
    const signal = AbortSignal.timeout(maxWait);
    for (let left = count; left > 0; left -= 1) await once(this.#acknowledgements, 'received', { signal });
  }

  /** Resends all unanswered leads to a service that stays up. */
  async sendRest(url: string): Promise<void> {
    await Promise.all(this.#unanswered.splice(0).map((number) => this.#send(url, number)));
  }

  /** Returns whether the service has answered. */
  async #send(url: string, number: number): Promise<boolean> {
    const message = `This is message number ${number}.`;
    try {
      const headers = { 'idempotency-key': `"number ${number}"` };
      const answer = await sendLead({ url }, { message }, { headers });
      if (answer.status === 201 || answer.status === 202) {
        this.acknowledged.add(message);
        this.#acknowledgements.emit('received');
      } else this.refusals.push(`${answer.status} ${await answer.text()}`);
      // Ignores the body, because the status already acknowledges the lead.
      await answer.body?.cancel().catch(() => undefined);
      return true;
    } catch {
      this.#unanswered.push(number);
      return false;
    }
  }
}
