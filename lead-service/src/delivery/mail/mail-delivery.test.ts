import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import PostalMime from 'postal-mime';
import { listenLocally } from '../../testing/local-server.ts';
import { serveDelivery } from '../../testing/served-delivery.ts';
import { startSmtpReceiver } from '../../testing/smtp-receiver.ts';
import { onEachDatabase, sqlite } from '../../testing/test-databases.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const withPassword = (url: string) => url.replace('//', '//user:wrong@');

onEachDatabase('mail delivery', (test) => {
  // A permanent one as well, because mailboxes get repaired.
  for (const rejection of [450, 550]) {
    test(`a rejection with ${rejection} is retried after 30 s; the log has only its status`, async (database) => {
      await using service = await serveDelivery(database, { smtp: true });
      service.smtp.refuse((recipient) => ({ status: rejection, text: `<${recipient}> is away` }));
      await service.lead();
      const waiting = await service.reached('sales-mail', 'pending', 1);
      const wait = Date.parse(waiting.nextAttemptAt) - service.clock.now().getTime();
      assert.ok(wait > 15_000 && wait < 40_000, `${wait} ms`);

      service.smtp.refuse(() => undefined);
      service.pass(minute);
      await service.reached('sales-mail', 'done', 2);
      const attempts = await service.attempts('sales-mail');
      const results = attempts.map(({ number, outcome, status }) => `${number} ${outcome} ${status}`);
      assert.deepEqual(results, [`1 failed ${rejection}`, '2 delivered 250']);
      assert.match(attempts[0]?.answer ?? '', new RegExp(`^${rejection} .*\\[address\\].* is away$`));
      assert.match(await service.line('delivery failed'), new RegExp(`status=${rejection}`));
      assert.ok(!service.lines.join('\n').includes('is away'));
      const recipients = service.smtp.mails.flatMap(({ to }) => to);
      assert.deepEqual(recipients, ['sales@example.org']);
    });
  }

  test('a delivery that fails for two days becomes a dead letter', async (database) => {
    await using service = await serveDelivery(database, { smtp: true });
    service.smtp.refuse(() => ({ status: 421, text: 'closed' }));
    await service.lead();
    for (let attempts = 1; attempts <= 10; attempts += 1) {
      await service.reached('sales-mail', 'pending', attempts);
      service.pass(day);
    }
    await service.reached('sales-mail', 'dead', 11);
    const numbers = (await service.attempts('sales-mail')).map(({ number }) => number);
    assert.deepEqual(numbers, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
});

describe('mail', () => {
  test('the mail to sales names the sender, and replies go there', async () => {
    await using service = await serveDelivery(sqlite, { smtp: true });
    await service.lead();
    const { id: outboxId } = await service.reached('sales-mail', 'done');

    const [{ from, to, mail } = assert.fail()] = service.smtp.mails;
    assert.deepEqual([from, to], ['site@example.org', ['sales@example.org']]);
    assert.equal(mail.subject, 'New demo request: Ada Lovelace (Analytical Engines)');
    assert.deepEqual(mail.replyTo, [{ name: 'Ada Lovelace', address: 'ada@example.com' }]);
    assert.equal(mail.messageId, `<${outboxId}@example.org>`);
    const [attempt] = await service.attempts('sales-mail');
    assert.equal(attempt?.outcome, 'delivered');
    assert.equal(attempt?.status, 250);
  });

  for (const [what, startTls, urlOf, options, status, answer] of [
    ['unreachable server', false, () => 'smtp://127.0.0.1:1', {}, null, /ECONNREFUSED/],
    [
      'server with an untrusted certificate',
      true,
      (url: string) => url,
      { requireTls: true },
      null,
      /certificate/,
    ],
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
      const attempt = await service.attempt('sales-mail', 'pending');
      assert.deepEqual([attempt.status, attempt.outcome], [status, 'failed']);
      assert.match(attempt.answer, answer);
      assert.match(await service.line('delivery failed'), status === null ? answer : /status=535/);
      assert.deepEqual(smtp.recipients, []);
    });
  }

  test('a self-signed relay gets mail where plain text is permitted; EHLO names a domain', async () => {
    await using smtp = await startSmtpReceiver(true);
    await using service = await serveDelivery(sqlite, { smtp: smtp.url, requireTls: false });
    await service.lead();
    await service.reached('sales-mail', 'done');
    assert.equal(smtp.mails[0]?.client, 'example.org');
  });

  test('a silent server runs into the timeout', async () => {
    await using silent = createServer();
    const smtp = `smtp://127.0.0.1:${await listenLocally(silent)}`;
    // An attempt times out after half of the lease.
    await using service = await serveDelivery(sqlite, { smtp, leaseSeconds: 1 });
    const attempt = await service.attempt('sales-mail', 'pending');
    assert.match(attempt.answer, /No answer within 0\.5 s/);
  });

  test('mail goes to files without SMTP_URL, and the start log says so', async () => {
    await using service = await serveDelivery(sqlite);
    const directory = join(service.database.dataDirectory, 'mails');
    assert.match(service.lines.join('\n'), /no SMTP_URL is set: mail is kept as \.eml files in \S+mails$/m);
    await service.lead();
    const { id } = await service.reached('sales-mail', 'done');
    assert.equal((await readdir(directory)).length, 1);
    const mail = await PostalMime.parse(await readFile(join(directory, `${id}.eml`)));
    assert.match(mail.text ?? '', /Please show me how templates work\./);
  });
});
