import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { honeypotField } from '@countersign/contracts/lead';
import { hostService, type HostedService } from '../testing/hosted-service.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { sqlite } from '../testing/test-databases.ts';

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** Submits a form as a browser without scripts does. */
function submit(
  app: HostedService,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${app.url}/api/contact`, {
    method: 'POST',
    headers: { ...browser, ...headers },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
}

/** Decodes character references, as a browser does. */
function unescape(markup: string): string {
  return markup.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

async function assertPage(answer: Response, status: number): Promise<string> {
  assert.equal(answer.status, status);
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  const page = await answer.text();
  assert.match(page, /^<!doctype html>\s*<html lang="en">/);
  assert.match(page, /<title>.+ – Countersign<\/title>/);
  assert.match(page, /<header>\s*<a class="brand" href="\/">\s*<svg class="mark"/);
  assert.doesNotMatch(page, /<script|undefined|\[object/);
  const style = /<style>([^]*)<\/style>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = answer.headers.get('content-security-policy') ?? '';
  assert.ok(policy.includes(`default-src 'none'; style-src 'sha256-${hash}'`));
  return page;
}

describe('form without scripts', () => {
  test('is stored once, however its type is spelt, and redirects to the thank-you page', async () => {
    await using app = await hostService(sqlite);
    const fields = { ...sampleLead, message: 'A first line\r\nand a second', submissionType: 'contact' };

    const first = await submit(app, fields);
    const type = 'Application/X-WWW-Form-Urlencoded ; charset=utf-8';
    const again = await submit(app, fields, { 'content-type': type });

    assert.deepEqual([first.status, again.status], [303, 303]);
    assert.equal(first.headers.get('location'), '/api/contact/thanks');
    assert.equal(again.headers.get('location'), '/api/contact/thanks');
    const [lead, ...others] = await app.database.leads();
    assert.deepEqual(others, []);
    assert.deepEqual([lead?.type, lead?.name, lead?.email], ['contact', sampleLead.name, sampleLead.email]);
    assert.equal(lead?.message, 'A first line\nand a second');
    const page = await assertPage(await fetch(`${app.url}/api/contact/thanks`, { headers: browser }), 200);
    assert.match(page, /Thank you for your message\. We will get back to you shortly\./);
  });

  for (const [referer, attribution] of [
    [
      (own: string) => `${own}/?utm_source=letter&utm_campaign=spring`,
      { page: '/?utm_source=letter&utm_campaign=spring', utmSource: 'letter', utmCampaign: 'spring' },
    ],
    [(own: string) => `${own}/api/contact`, {}],
    [() => 'https://elsewhere.example/?utm_source=x', {}],
    [() => 'no address', {}],
  ] as const) {
    test(`gets its attribution from a same-origin Referer, not from others: ${referer('http://here')}`, async () => {
      await using app = await hostService(sqlite);
      await submit(app, sampleLead, { referer: referer(app.url) });
      const [lead] = await app.database.leads();
      assert.deepEqual(JSON.parse(lead?.attribution ?? ''), attribution);
    });
  }

  test('keeps a consent with its time, also through the page of a refused form', async () => {
    await using app = await hostService(sqlite);
    const consentText = 'We use your data to answer "you".';
    const begin = new Date().toISOString();
    const refused = await assertPage(await submit(app, { ...sampleLead, name: '', consentText }), 422);
    const [, kept = ''] = /name="consentText" value="([^"]*)"/.exec(refused) ?? [];
    assert.equal(unescape(kept), consentText);
    await submit(app, { ...sampleLead, consentText });
    const [lead] = await app.database.leads();
    const { consentText: stored, consentedAt } = JSON.parse(lead?.attribution ?? '');
    assert.equal(stored, consentText);
    assert.ok(begin <= consentedAt && consentedAt <= new Date().toISOString(), consentedAt);
  });

  test('has one character per line break, as the form counts', async () => {
    await using app = await hostService(sqlite);
    // Nine characters, one too few. With CR and LF as two, it would be accepted.
    assert.equal((await submit(app, { ...sampleLead, message: 'a     \r\n b' })).status, 422);
  });

  test('returns an invalid form with escaped values and a message at each invalid field', async () => {
    await using app = await hostService(sqlite);
    const typed = {
      name: '"',
      email: `ada@<script>alert('1')</script>`,
      company: `Engines & "Sons" <b>`,
      message: '\n</b>',
    };

    const page = await assertPage(await submit(app, typed), 422);

    assert.match(page, /<form method="post" action="\/api\/contact" [^]*<textarea [^>]*name="message"/);
    for (const [field, message] of [
      ['name', 'Name must be at least 2 characters'],
      ['email', 'Please enter a valid email address'],
    ] as const) {
      const input = `name="${field}"[^>]*aria-invalid="true" aria-describedby="${field}-error"`;
      assert.match(page, new RegExp(input));
      assert.match(page, new RegExp(`id="${field}-error">${message}<`));
    }
    assert.match(page, /id="message-error">Message must be at least 10 characters</);
    assert.doesNotMatch(page, /id="company-error"/);
    assert.equal(page.match(/autofocus/g)?.length, 1);
    for (const field of ['name', 'email', 'company'] as const) {
      const value = new RegExp(`name="${field}"[^>]*value="([^"]*)"`).exec(page)?.[1] ?? '';
      assert.equal(unescape(value), typed[field]);
    }
    // Browsers drop the first line break of a textarea.
    assert.equal(unescape(/<textarea[^>]*>\n([^<]*)<\/textarea>/.exec(page)?.[1] ?? ''), typed.message);
    assert.deepEqual(await app.database.leads(), []);
  });

  test('accepts the longest text in any script, and returns a longer one with a message', async () => {
    await using app = await hostService(sqlite);
    const filledWith = (character: string) => {
      const [name, message] = [200, 5000].map((length) => character.repeat(length));
      return { ...sampleLead, name: name ?? '', company: name ?? '', message: message ?? '' };
    };
    const longest = filledWith('字');
    const email = `${'a'.repeat(64)}@${'example.'.repeat(23)}com`;
    const consentText = '😀'.repeat(2_000);
    for (const fields of [longest, { ...filledWith('😀'), email, consentText, [honeypotField]: '' }]) {
      assert.equal((await submit(app, fields)).status, 303);
    }
    const consent = (await app.database.leads()).map(
      ({ attribution }) => JSON.parse(attribution).consentText,
    );
    assert.deepEqual(consent, [undefined, consentText]);
    assert.equal((await app.post('/api/contact', { ...longest, message: '文'.repeat(5000) })).status, 201);
    const typed = { ...longest, message: `${longest.message}字` };

    const page = await assertPage(await submit(app, typed), 422);

    assert.match(page, /id="message-error">Message must be at most 5,000 characters</);
    assert.ok(page.includes(typed.message));
  });

  test('returns the filled-in form while the database is unavailable', async () => {
    await using app = await hostService(sqlite);

    const answer = await app.database.whileLocked(() => submit(app, sampleLead));

    assert.equal(answer.headers.get('retry-after'), '60', 'a minute, as the text says');
    const page = await assertPage(answer, 503);
    assert.match(page, /role="alert"[^>]*>\s*We could not save your request just now/);
    assert.ok(unescape(page).includes(sampleLead.message));
  });

  test('gets an error page for status 413 and 403', async () => {
    await using app = await hostService(sqlite);
    const long = await submit(app, { ...sampleLead, message: 'm'.repeat(99_000) });
    assert.match(await assertPage(long, 413), /The message is too long[^]*Go back to find what you typed/);
    await assertPage(await submit(app, sampleLead, { origin: 'null' }), 403);
  });

  test('is classified by the spam filter', async () => {
    await using app = await hostService(sqlite);
    const answer = await submit(app, { ...sampleLead, [honeypotField]: 'filled in'.repeat(500) });
    assert.equal(answer.headers.get('location'), '/api/contact/thanks');
    assert.match((await app.database.leads())[0]?.quarantinedAt ?? '', /^\d/);
  });

  test('gets a plain-text error if the client does not accept HTML', async () => {
    await using app = await hostService(sqlite);
    const answer = await submit(app, {}, { accept: '*/*' });
    assert.equal(answer.status, 422);
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.match(await answer.text(), /^Name must be at least 2 characters; /);
  });
});
