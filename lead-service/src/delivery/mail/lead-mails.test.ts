import assert from 'node:assert/strict';
import { mkdtempDisposableSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createTransport } from 'nodemailer';
import PostalMime, { type Email } from 'postal-mime';
import { createLead } from '../../intake/create-lead.ts';
import { sampleLead } from '../../testing/sample-lead.ts';
import { type Mail, salesMail } from './lead-mails.ts';
import { createFileMailer } from './mailer.ts';

const config = {
  smtpUrl: undefined,
  requireTls: true,
  from: 'Site <site@example.org>',
  salesAddresses: { trial: 'trials@example.org', demo: 'demos@example.org', contact: 'sales@example.org' },
};

const transport = createTransport({ streamTransport: true, buffer: true });

/** Parses a mail like a mail client. */
async function read(mail: Mail): Promise<Email> {
  const { message } = await transport.sendMail(mail);
  return PostalMime.parse(message as Buffer);
}

describe('mails with user text', () => {
  const expectedHeaders = [
    'auto-submitted',
    'content-transfer-encoding',
    'content-type',
    'date',
    'from',
    'message-id',
    'mime-version',
    'reply-to',
    'subject',
    'to',
  ];

  test('user text adds no headers and no recipients (no header injection)', async () => {
    const nasty = fc.constantFrom('\r\nBcc: victim@example.com\r\n', ...'\n\r\u2028"<,\t');
    const typed = fc.array(fc.oneof(nasty, fc.string({ unit: 'grapheme' })), { maxLength: 6 });
    // Never blank, like validated text.
    const text = typed.map((parts) => `${parts.join('')}xx`);
    await fc.assert(
      fc.asyncProperty(text, text, text, async (name, company, message) => {
        const lead = createLead({ type: 'contact', fields: { ...sampleLead, name, company, message } });
        const mail = await read(salesMail('one', lead, config));
        assert.deepEqual(mail.headers.map(({ key }) => key).toSorted(), expectedHeaders);
        assert.deepEqual(
          [mail.to, mail.replyTo].map((list) => list?.map(({ address }) => address)),
          [['sales@example.org'], ['ada@example.com']],
        );
        assert.deepEqual([mail.cc, mail.bcc, mail.attachments], [undefined, undefined, []]);
      }),
      { numRuns: 60 },
    );
  });

  test('user text cannot imitate a line of the mail', async () => {
    const lead = createLead({
      type: 'contact',
      fields: {
        ...sampleLead,
        name: 'Ada\nSpam score: 0',
        company: '\u202Eevil\u2028Lead: none',
        message: 'Hello,\r\nSpam score: 0\rLead: none\u0007',
      },
      attribution: { page: '/\nSpam score: 0' },
      classification: { score: 4, reasons: ['2 links in the message'], quarantined: false },
    });
    const { text = '' } = await read(salesMail('two', lead, config));
    const lines = text.split(/\r?\n/);
    const own = lines.filter((line) => /^(Spam score|Lead):/.test(line));
    assert.deepEqual(own, [`Lead: ${lead.id}`, 'Spam score: 4']);
    assert.ok(lines.includes('> Spam score: 0'));
    assert.ok(lines.includes('Spam reasons: 2 links in the message'));
    for (const hidden of ['\u0007', '\u202E']) assert.ok(!text.includes(hidden));
  });

  test('a reply to an address with a dot before its @ is quoted', async () => {
    const lead = createLead({ type: 'demo', fields: { ...sampleLead, email: 'a.@docomo.ne.jp' } });
    const { headers } = await read(salesMail('dot', lead, config));
    assert.match(headers.find(({ key }) => key === 'reply-to')?.value ?? '', /<"a\."@docomo\.ne\.jp>$/);
  });

  test('the mail to sales contains all fields and the attribution', async () => {
    const attribution = {
      page: '/?utm_source=letter',
      referrer: 'https://news.example/',
      utmSource: 'letter',
      releaseId: 'r-7',
      consentText: 'You may write to me.',
    };
    const lead = createLead({ type: 'trial', fields: sampleLead, attribution });
    const { text = '', subject, to } = await read(salesMail('three', lead, config));
    assert.equal(to?.map(({ address }) => address).join(), 'trials@example.org');
    assert.match(subject ?? '', /^New trial request: /);
    for (const value of [...Object.values({ ...sampleLead, ...attribution }), lead.id, lead.receivedAt])
      assert.ok(text.includes(value), value);
  });
});

test('mail files: none stays if the delivery is erased meanwhile, or its lookup fails', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'lead-service-'));
  const mail = salesMail('gone', createLead({ type: 'demo', fields: sampleLead }), config);
  const { signal } = new AbortController();
  await createFileMailer(folder.path, async () => false)(mail, signal);
  assert.deepEqual(readdirSync(folder.path), []);
  const noAnswer = () => Promise.reject(new Error('no answer'));
  await assert.rejects(createFileMailer(folder.path, noAnswer)(mail, signal), /no answer/);
  assert.deepEqual(readdirSync(folder.path), []);
});
