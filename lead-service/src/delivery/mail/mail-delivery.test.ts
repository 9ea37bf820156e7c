import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import PostalMime from 'postal-mime';
import { sampleLead } from '../../testing/sample-lead.ts';
import { serveDelivery } from '../../testing/served-delivery.ts';
import { startSmtpReceiver } from '../../testing/smtp-receiver.ts';
import { databaseKinds, sqlite } from '../../testing/test-databases.ts';
import { untilLength } from '../../testing/until.ts';
import { replay } from '../../lead-admin/dead-letters.ts';
import { allowAddress, suppressAddress } from '../../lead-admin/suppress.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const withPassword = (url: string) => url.replace('//', '//user:wrong@');
const isProspect = (address: string) => address === sampleLead.email;

for (const kind of databaseKinds) {
  describe(`mail delivery on ${kind.name}`, kind.options, () => {
    test('a temporary rejection is retried after 30 s with the same Message-ID', async () => {
      await using service = await serveDelivery(kind, { smtp: true });
      service.smtp.refuse((recipient) => ({ status: 450, text: `<${recipient}> is busy` }));
      await service.lead();
      const waiting = await service.reached('confirmation-mail', 'pending', 1);
      await service.reached('sales-mail', 'pending', 1);
      const wait = Date.parse(waiting.nextAttemptAt) - service.clock.now().getTime();
      assert.ok(wait > 15_000 && wait < 40_000, `${wait} ms`);

      service.smtp.refuse(() => undefined);
      service.pass(minute);
      await service.reached('confirmation-mail', 'done', 2);
      await service.reached('sales-mail', 'done', 2);
      const attempts = await service.attempts('confirmation-mail');
      assert.deepEqual(
        attempts.map(({ number, outcome, status }) => [number, outcome, status]),
        [
          [1, 'failed', 450],
          [2, 'delivered', 250],
        ],
      );
      assert.match(attempts[0]?.answer ?? '', /^450 .*\[address\].* is busy$/);
      assert.deepEqual(service.smtp.mails.flatMap(({ to }) => to).toSorted(), [
        sampleLead.email,
        'sales@example.org',
      ]);
    });

    test('a mailbox gets one confirmation a day, in any capitalisation and with any tag', async () => {
      await using service = await serveDelivery(kind, { smtp: true });
      const confirmed = () => service.smtp.mails.filter(({ to }) => !to.includes('sales@example.org')).length;
      await service.lead({ message: 'The first message of the day.' });
      await service.reached('confirmation-mail', 'done');
      await service.lead({ message: 'The second message of the day.', email: 'ADA@example.com' });
      await service.reached('confirmation-mail', 'skipped');
      assert.equal((await service.attempts('confirmation-mail')).at(-1)?.answer, hadOneToday);
      await service.lead({ message: 'The third message of the day.', email: 'ada+news@example.com' });
      await service.reached('confirmation-mail', 'skipped');
      assert.equal(confirmed(), 1);

      service.pass(day);
      await service.lead({ message: 'A message of the next day.' });
      await service.reached('confirmation-mail', 'done');
      assert.equal(confirmed(), 2);
    });

    test('concurrent leads with one address cause one confirmation', async () => {
      await using service = await serveDelivery(kind, { smtp: true });
      await Promise.all(
        Array.from({ length: 12 }, (_, index) => service.lead({ message: `Message number ${index}.` })),
      );
      await untilLength(() => service.attempts('confirmation-mail'), 12);
      assert.equal(service.smtp.mails.filter(({ to }) => to.some(isProspect)).length, 1);
    });

    test('a suppressed address gets no confirmation until it is allowed again', async () => {
      await using service = await serveDelivery(kind, { smtp: true });
      const { db } = service.stores.database;
      await suppressAddress(db, 'Ada@Example.com', 'asked for it');
      await service.lead({ email: 'ada+news@example.com', message: 'With another tag of the same mailbox.' });
      await service.reached('confirmation-mail', 'skipped');
      await service.reached('sales-mail', 'done');
      await service.lead();
      await service.reached('confirmation-mail', 'skipped');
      await service.reached('sales-mail', 'done');
      const [attempt] = await service.attempts('confirmation-mail');
      assert.deepEqual(
        [attempt?.outcome, attempt?.answer],
        ['skipped', 'The address is on the suppression list.'],
      );
      assert.deepEqual(service.smtp.recipients, ['sales@example.org', 'sales@example.org']);

      assert.equal(await allowAddress(db, sampleLead.email), true);
      await service.lead({ message: 'I would like a confirmation.' });
      await service.reached('confirmation-mail', 'done');
    });

    test('a dead letter after two days can be replayed and keeps its attempts', async () => {
      await using service = await serveDelivery(kind, { smtp: true });
      service.smtp.refuse(() => ({ status: 421, text: 'closed' }));
      await service.lead();
      for (let attempts = 1; attempts <= 10; attempts += 1) {
        await service.reached('sales-mail', 'pending', attempts);
        service.pass(day);
      }
      const { id } = await service.reached('sales-mail', 'dead', 11);

      service.smtp.refuse(() => undefined);
      assert.equal(await replay(service.stores.database.db, [id]), 1);
      service.pass(2 * day);
      await service.reached('sales-mail', 'done', 1);
      const numbers = (await service.attempts('sales-mail')).map(({ number }) => number);
      assert.deepEqual(
        numbers,
        Array.from({ length: 12 }, (_, index) => index + 1),
      );
    });
  });
}

describe('mail', () => {
  test('the mail to sales quotes all fields, and replies go to the sender', async () => {
    await using service = await serveDelivery(sqlite, { smtp: true });
    const id = await service.lead();
    const { id: outboxId } = await service.reached('sales-mail', 'done');

    const { from, mail } =
      service.smtp.mails.find(({ to }) => to.includes('sales@example.org')) ?? assert.fail();
    assert.equal(from, 'site@example.org');
    assert.equal(mail.subject, 'New demo request: Ada Lovelace (Analytical Engines)');
    assert.deepEqual(
      mail.replyTo?.map(({ name, address }) => [name, address]),
      [['Ada Lovelace', 'ada@example.com']],
    );
    assert.equal(mail.messageId, `<${outboxId}@example.org>`);
    for (const typed of [...Object.values(sampleLead), id]) assert.ok(mail.text?.includes(typed), typed);
    const [attempt] = await service.attempts('sales-mail');
    assert.equal(attempt?.outcome, 'delivered');
    assert.equal(attempt?.status, 250);
  });

  test('the confirmation quotes no user text', async () => {
    await using service = await serveDelivery(sqlite, { smtp: true });
    await service.lead();
    const { id } = await service.reached('confirmation-mail', 'done');

    const { mail } = service.smtp.mails.find(({ to }) => to.some(isProspect)) ?? assert.fail();
    const { name, company, message } = sampleLead;
    const everything = `${mail.subject} ${mail.text} ${mail.html ?? ''}`;
    for (const text of [name, company, message]) assert.ok(!everything.includes(text), text);
    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
    assert.equal(header('auto-submitted'), 'auto-generated');
    assert.equal(header('x-auto-response-suppress'), 'All');
    assert.equal(mail.messageId, `<${id}@example.org>`);
  });

  test('a permanent rejection ends the confirmation, but not the mail to sales; the log has its status alone', async () => {
    await using service = await serveDelivery(sqlite, { smtp: true });
    service.smtp.refuse((recipient) => ({ status: 550, text: `no mailbox ${recipient}` }));
    await service.lead();
    await service.reached('confirmation-mail', 'dead', 1);
    await service.reached('sales-mail', 'pending', 1);

    const [attempt] = await service.attempts('confirmation-mail');
    assert.equal(attempt?.status, 550);
    assert.match(attempt?.answer ?? '', /no mailbox \[address\]$/);
    const log = service.lines.join('\n');
    assert.match(log, /delivery dead .*status=550/);
    for (const secret of [...Object.values(sampleLead), 'no mailbox']) assert.ok(!log.includes(secret));
  });

  for (const [what, startTls, urlOf, options, status, answer] of [
    ['unreachable server', false, () => 'smtp://127.0.0.1:1', {}, null, /ECONNREFUSED/],
    ['server with an untrusted certificate', true, (url: string) => url, {}, null, /certificate/],
    ['server that rejects the password', false, withPassword, {}, 535, /^535 /],
    [
      'server that offers no STARTTLS where TLS is required',
      false,
      withPassword,
      { requireTls: true },
      null,
      /The mail server does not accept STARTTLS\. .*SMTP_ALLOW_PLAIN=true/,
    ],
  ] as const) {
    test(`${what}: it gets nothing; the attempt and the log name the reason`, async () => {
      await using smtp = await startSmtpReceiver(startTls);
      await using service = await serveDelivery(sqlite, { smtp: urlOf(smtp.url), ...options });
      await service.lead();
      await service.reached('sales-mail', 'pending', 1);
      const [attempt] = await service.attempts('sales-mail');
      assert.deepEqual([attempt?.status, attempt?.outcome], [status, 'failed']);
      assert.match(attempt?.answer ?? '', answer);
      assert.match(await service.line('delivery failed'), status === null ? answer : /status=535/);
      assert.deepEqual(smtp.recipients, []);
    });
  }

  test('a silent server runs into the timeout', async () => {
    await using silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const smtp = `smtp://127.0.0.1:${port}`;
    await using service = await serveDelivery(sqlite, { smtp, leaseSeconds: 1 });
    await service.lead();
    await service.reached('sales-mail', 'pending', 1);
    const [attempt] = await service.attempts('sales-mail');
    assert.match(attempt?.answer ?? '', /No answer within 0\.5 s|ETIMEDOUT/);
  });

  test('mail goes to files without SMTP_URL, and the start log says so', async () => {
    await using service = await serveDelivery(sqlite);
    const directory = join(service.database.dataDirectory, 'mails');
    await mkdir(directory);
    await writeFile(join(directory, 'of-a-process-that-was-killed.tmp'), 'half of a mail');
    assert.match(service.lines.join('\n'), /no SMTP_URL is set: mail is kept as \.eml files in \S+mails$/m);
    await service.lead();
    const { id } = await service.reached('sales-mail', 'done');
    await service.reached('confirmation-mail', 'done');
    assert.equal((await readdir(directory)).length, 2);
    const mail = await PostalMime.parse(await readFile(join(directory, `${id}.eml`)));
    assert.match(mail.text ?? '', /Please show me how templates work\./);
  });
});

const hadOneToday = 'The address has had a confirmation today.';
