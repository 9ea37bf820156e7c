import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createMemoryLog } from '../testing/memory-log.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { serveDelivery } from '../testing/served-delivery.ts';
import { storeLead, suspicious } from '../testing/store-lead.ts';
import { onEachDatabase } from '../testing/test-databases.ts';
import { untilLength } from '../testing/until.ts';
import type { AttemptContext, FinishedAttempt, LeasedDelivery, SendLead } from './attempt-delivery.ts';
import { delivered } from './attempt-result.ts';
import { concurrency, createDeliveryWorker } from './delivery-worker.ts';
import { holdLead, releaseLead } from '../admin/change-leads.ts';
import { discardDeadLetters, listDeadLetters, replayDeliveries } from '../admin/dead-letters.ts';
import { eraseLeadsOf } from '../admin/erase-leads.ts';
import { createBacklogReader } from '../observability/readiness.ts';
import { type DeliveryFilter, openOutbox, type OutboxQueue } from './outbox-queue.ts';

const minute = 60_000;
const everything: DeliveryFilter = ({ lit }) => lit(true);

interface WorkerParts extends Pick<AttemptContext, 'readLead' | 'log'> {
  readonly send: SendLead;
  readonly clock: { now(): Date };
}

/** Starts a worker for mails, without the rest of a delivery. */
function startWorker(queue: OutboxQueue, { send, clock, ...parts }: WorkerParts) {
  const senders = { 'sales-mail': send, webhook: send };
  const interruption = new AbortController().signal;
  const context = { ...parts, senders, interruption, clock: () => clock.now(), lease: minute };
  const worker = createDeliveryWorker(queue, ({ eb }) => eb('kind', '=', 'sales-mail'), context);
  worker.start();
  return { ...worker, [Symbol.asyncDispose]: worker.stop };
}

onEachDatabase('outbox worker', (test) => {
  test('instances share the outbox: one of them claims each delivery', async (database) => {
    await using service = await serveDelivery(database, { enabled: false });
    for (let index = 0; index < 16; index += 1) await service.lead({ message: `Message number ${index}.` });
    const queues = Array.from({ length: 4 }, () => openOutbox(service.database, minute));
    const claims = await Promise.all(queues.map((queue) => queue.claim(everything, 4, service.clock.now())));
    const ids = claims.flat().map(({ id }) => id);
    assert.equal(ids.length, 16);
    assert.equal(new Set(ids).size, 16);
    assert.ok(claims.every((claim) => claim.length <= 4));
  });

  test('an expired lease lets another instance take over, and voids the first result', async (database) => {
    await using service = await serveDelivery(database, { enabled: false });
    await service.lead();
    const slow = openOutbox(service.database, minute);
    const next = openOutbox(service.database, minute);
    const [taken] = await slow.claim(everything, 1, service.clock.now());
    assert.deepEqual(await next.claim(everything, 9, service.clock.now()), []);
    service.clock.advance(minute + 1);
    const again = (await next.claim(everything, 9, service.clock.now())).find(({ id }) => id === taken?.id);
    assert.ok(taken !== undefined && again !== undefined);

    await slow.record(finished(taken));
    const [row] = await service.database.rows('outbox', { id: taken.id });
    assert.deepEqual([row?.state, row?.leasedUntil], ['pending', again.leasedUntil]);
    const last = finished(again);
    // The second time as if the answer of the first commit was lost.
    for (let commit = 0; commit < 2; commit += 1) await next.record(last);
    const [done] = await service.database.rows('outbox', { id: taken.id });
    assert.deepEqual([done?.state, done?.leasedUntil], ['done', null]);
    // The late attempt is on record, too.
    const numbers = (await service.attempts('sales-mail')).map(({ number }) => number);
    assert.deepEqual(numbers, [1, 2]);
  });

  test('a worker that pauses after its claim leaves the delivery to the next lease', async (database) => {
    await using service = await serveDelivery(database, { enabled: false });
    const lead = await service.lead();
    const [stored] = await database.leads();
    const { clock } = service;
    const log = createMemoryLog();
    const steps: string[] = [];
    // The process stops in the middle of the first attempt, for more than half of the lease, so it must not begin to send.
    const readLead = async () => {
      if (steps.length === 0) clock.advance(0.6 * minute);
      steps.push('read');
      return stored;
    };
    const send = async () => {
      steps.push('sent');
      return delivered('ok');
    };
    await using worker = startWorker(openOutbox(database, minute), { readLead, send, log, clock });
    assert.ok((await log.line('a delivery was not begun in time')).includes(`lead=${lead}`));
    assert.deepEqual(steps, ['read']);
    clock.advance(minute);
    await service.reached('sales-mail', 'done');
    await worker.stop();
    // Under the next lease.
    assert.deepEqual(steps, ['read', 'read', 'sent']);
    assert.equal((await service.attempts('sales-mail')).length, 1);
  });

  test('a result that cannot be recorded is recorded under the next lease, and nothing is sent again', async (database) => {
    await using service = await serveDelivery(database, { enabled: false });
    await service.lead();
    const [stored] = await database.leads();
    const { clock } = service;
    const outbox = openOutbox(database, minute);
    let sent = 0;
    let recorded = 0;
    const send = async () => {
      sent += 1;
      return delivered('ok');
    };
    const record = async (result: FinishedAttempt) => {
      recorded += 1;
      clock.advance(minute);
      if (recorded === 1) throw new Error('no space for the attempt');
      return outbox.record(result);
    };
    const [readLead, log] = [async () => stored, createMemoryLog()];
    await using worker = startWorker({ ...outbox, record }, { readLead, send, log, clock });
    assert.equal((await service.reached('sales-mail', 'done')).attempts, 1);
    await worker.stop();
    assert.deepEqual([sent, recorded], [1, 2]);
  });

  test('a lead that becomes spam between claim and sending is not sent', async (database) => {
    await using service = await serveDelivery(database, { enabled: false });
    const id = await service.lead();
    let sent = 0;
    const send = async () => delivered(String((sent += 1)));
    const held = Promise.withResolvers<number>();
    const readLead = async () => {
      held.resolve(await holdLead(database.admin, id));
      return (await database.leads())[0];
    };
    const parts = { readLead, send, log: createMemoryLog(), clock: service.clock };
    await using worker = startWorker(openOutbox(database, minute), parts);
    assert.equal(await held.promise, 1);
    await worker.stop();
    assert.equal(sent, 0);
  });

  test('an error of the service counts as a failed attempt', async (database) => {
    await using service = await serveDelivery(database);
    const { id } = await storeLead(database, { attribution: 'broken' }, []);
    await service.reached('sales-mail', 'pending', 1);
    assert.ok((await service.line('could not send')).includes(`lead=${id}`));
  });

  test('deliveries of a quarantined lead are held until its release', async (database) => {
    await using service = await serveDelivery(database, { smtp: true, webhook: true });
    const { smtp, receiver } = service;
    const held = await service.lead({ message: 'See my three links here.' }, suspicious);
    // The later lead is sent, so the worker has skipped the held one.
    await service.lead({ email: 'other@example.com' });
    await service.reached('webhook', 'done');
    await service.reached('sales-mail', 'done');
    assert.deepEqual([smtp.mails.length, receiver.received.length], [1, 1]);

    assert.equal(await releaseLead(service.database.admin, held), 2);
    await untilLength(() => smtp.mails, 2);
    await untilLength(() => receiver.received, 2);
    assert.match(smtp.mails.at(-1)?.mail.text ?? '', /Spam score: 9\nSpam reasons: 3 links in the message/);
  });

  test('an erasure during an attempt removes the lead, and nothing else is sent', async (database) => {
    const arrived = Promise.withResolvers<() => void>();
    await using service = await serveDelivery(database, { webhook: true });
    service.receiver.answer((response) => arrived.resolve(() => void response.writeHead(500).end()));
    await service.lead();
    const finish = await arrived.promise;
    assert.equal(await eraseLeadsOf(service.database.admin, sampleLead.email), 1);
    finish();
    await service.line('delivery failed');
    service.pass(minute);
    await service.delivery.stop();
    for (const table of ['outbox', 'deliveryAttempts', 'leads'] as const) {
      assert.deepEqual(await service.database.rows(table), []);
    }
    assert.equal(service.receiver.received.length, 1);
  });

  test('a stop finishes the deliveries in flight and starts no others', async (database) => {
    await using service = await serveDelivery(database, { webhook: true });
    const held: ServerResponse[] = [];
    service.receiver.answer(
      ...Array.from({ length: concurrency }, () => (it: ServerResponse) => held.push(it)),
    );
    for (let number = 0; number < concurrency; number += 1)
      await service.lead({ message: `Lead ${number}.` });
    // From then on, no delivery is being claimed.
    await untilLength(() => held, concurrency);
    const stopped = service.delivery.stop();
    await service.lead({ email: 'late@example.com' });
    for (const response of held) response.end('late');
    await stopped;

    const rows = await service.database.rows('outbox', { kind: 'webhook' });
    const states = [...Array.from({ length: concurrency }, () => 'done'), 'pending'];
    assert.deepEqual(rows.map(({ state }) => state).toSorted(), states);
    assert.ok(rows.every(({ leasedUntil }) => leasedUntil === null));
    assert.equal((await service.attempts('webhook'))[0]?.answer, 'late');
  });

  test('an attempt aborted at the stop timeout is recorded, not counted, and its lease ends', async (database) => {
    await using service = await serveDelivery(database, { webhook: true }, { stopTimeout: 0 });
    service.receiver.answer(() => undefined);
    await service.lead();
    await untilLength(() => service.receiver.received, 1);
    await service.delivery.stop();
    const { leasedUntil } = await service.reached('webhook', 'pending', 0);
    assert.equal(leasedUntil, null);
    assert.equal((await service.attempts('webhook')).length, 1);
  });

  test('dead letters are listed, replayed and discarded', async (database) => {
    await using service = await serveDelivery(database, { webhook: true });
    const { admin } = service.database;
    service.receiver.answer(410, 410, 410);
    const leads: string[] = [];
    for (const number of [1, 2, 3]) leads.push(await service.lead({ message: `Message number ${number}.` }));
    const list = async () => (await listDeadLetters(admin)).letters;
    const letters = await untilLength(list, 3);
    const [first = assert.fail(), second = assert.fail(), third = assert.fail()] = letters;
    const readBacklog = createBacklogReader(service.database.db);
    assert.equal((await readBacklog()).deadLetters, 3, 'an alarm watches this number');
    assert.deepEqual(letters.map(({ leadId }) => leadId).toSorted(), leads.toSorted());
    const { kind: how, target, attempts, lastStatus, lastAnswer } = first;
    assert.deepEqual(
      [how, target, attempts, lastStatus, lastAnswer],
      ['webhook', 'crm', 1, 410, 'status 410'],
    );

    await service.delivery.stop();
    assert.equal(await replayDeliveries(admin, [second.id, 'unknown']), 1);
    const [replayed = assert.fail()] = await service.database.rows('outbox', { id: second.id });
    assert.deepEqual([replayed.state, replayed.attempts], ['pending', 0]);
    assert.equal(await discardDeadLetters(admin, [second.id, third.id]), 1);
    assert.deepEqual(await list(), [first]);
    assert.equal(await replayDeliveries(admin, 'all'), 1);
    assert.deepEqual(await list(), []);
    const { deadLetters, oldestSeconds } = await readBacklog();
    assert.ok(deadLetters === 0 && oldestSeconds > 0, 'the replayed ones are pending');
  });

  test('a replay sends waiting retries at once, and leaves an attempt in progress alone', async (database) => {
    const arrived = Promise.withResolvers<() => void>();
    await using service = await serveDelivery(database, { webhook: true });
    const { admin } = service.database;
    service.receiver.answer(503, (response) => arrived.resolve(() => void response.end()));
    await service.lead();
    await service.reached('webhook', 'pending', 1);
    await service.reached('sales-mail', 'done');
    assert.equal(await replayDeliveries(admin, 'all'), 1);
    const finish = await arrived.promise;
    assert.equal(await replayDeliveries(admin, 'all'), 0);
    finish();
    await service.reached('webhook', 'done');
    assert.equal(service.receiver.received.length, 2);
  });

  test("the backlog counts from a lead's receipt, also if quarantined or dated ahead", async (database) => {
    const hour = 60 * minute;
    const at = (hours: number) => new Date(Date.now() + hours * hour).toISOString();
    const hoursWaited = async () =>
      Math.round((await createBacklogReader(database.db)()).oldestSeconds / 3_600);
    const { id } = await storeLead(database, { receivedAt: at(-2), classification: suspicious });
    assert.equal(await hoursWaited(), 0);
    await releaseLead(database.admin, id);
    assert.equal(await hoursWaited(), 2);
    await storeLead(database, { receivedAt: at(5) });
    assert.equal(await hoursWaited(), 5);
  });

  test('a lead that the clock dated days ahead is delivered at once', async (database) => {
    await using service = await serveDelivery(database);
    const receivedAt = new Date(service.clock.now().getTime() + 3 * 24 * 60 * 60_000).toISOString();
    await storeLead(service.database, { receivedAt });
    await service.reached('sales-mail', 'done');
  });

  test('deliveries pause while the database fails', async (database) => {
    await using service = await serveDelivery(database);
    await service.database.execute('alter table delivery_attempts rename to moved');
    await service.lead();
    await service.line('deliveries paused');
    await service.database.execute('alter table moved rename to delivery_attempts');
    await service.reached('sales-mail', 'done');
    assert.equal((await service.attempts('sales-mail')).length, 1, 'nothing is sent twice');
    // The result is recorded before the next claim, which resumes the deliveries.
    await service.line('deliveries resumed');
  });
});

function finished(delivery: LeasedDelivery): FinishedAttempt {
  const at = new Date().toISOString();
  return {
    ...{ delivery, startedAt: at, latencyMs: 1, attempts: 1, nextAttemptAt: at },
    ...{ attemptId: crypto.randomUUID(), outcome: 'delivered', status: 200, answer: 'ok' },
  };
}
