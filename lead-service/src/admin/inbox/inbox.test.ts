import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageReportCountsPath } from '@countersign/contracts/page-report';
import {
  hostService,
  logIn,
  makeToken,
  withTokens,
  type HostedService,
} from '../../testing/hosted-service.ts';
import { sendRaw } from '../../testing/send-lead.ts';
import { storeLead, suspicious } from '../../testing/store-lead.ts';
import { sqlite, type DatabaseKind, type TestDatabase } from '../../testing/test-databases.ts';
import type { AdminScope } from '../admin-token.ts';

/** Sends the headers of a browser. */
function browse(url: string, cookie = '') {
  const get = (path: string) => fetch(url + path, { headers: { cookie }, redirect: 'manual' });
  return {
    get,
    cookie,
    page: async (path: string) => (await get(path)).text(),
    statusOf: async (path: string) => (await get(path)).status,
    post: (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: { cookie, origin: url, 'sec-fetch-site': 'same-origin', ...headers },
        body: new URLSearchParams(fields),
        redirect: 'manual',
      }),
  };
}

const ada = (...scopes: readonly AdminScope[]) => makeToken('ada', scopes);

/** Starts the service, and a browser with a session. */
async function openInbox(
  on: DatabaseKind | TestDatabase,
  token = ada('read'),
  settings: Record<string, string> = {},
) {
  const service = await hostService(on, { ...withTokens(token), ...settings });
  return { ...service, browser: browse(service.adminUrl, await logIn(service.adminUrl, token.token)) };
}

test('inbox: pages list, show, search, change, release, replay and export leads', async (t) => {
  await using inbox = await openInbox(sqlite, ada('read', 'write', 'export'));
  const { browser, database } = inbox;
  const lead = await storeLead(database, {
    name: '<b>"Ada" & Co</b>',
    spamReasons: '["1 link in the message"]',
    attribution: '{"parts":[{"part":"mf-pricing","version":"1.1.0","group":"canary"}]}',
  });
  const held = await storeLead(database, { name: 'Held', type: 'demo', classification: suspicious });
  const address = `/admin/inbox/${held.id}`;

  await t.test('lists leads with escaped names, under a strict policy and without cache', async () => {
    const { headers } = await browser.get('/admin/inbox');
    assert.equal(headers.get('cache-control'), 'no-store');
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[^';]+';/);
    const markup = await browser.page('/admin/inbox');
    assert.ok(markup.includes('&#60;b&#62;&#34;Ada&#34; &#38; Co&#60;/b&#62;'));
    assert.doesNotMatch(markup, /Held|<script|<b>/);
  });

  await t.test('shows the quarantine', async () => {
    const markup = await browser.page('/admin/inbox?quarantine=only');
    assert.match(markup, /Held/);
    assert.doesNotMatch(markup, new RegExp(lead.id));
  });

  await t.test('shows origin and signs of spam of a lead outside the quarantine', async () => {
    const shown = await browser.page(`/admin/inbox/${lead.id}`);
    assert.match(shown, /<input type="hidden" name="text" value="ada@example\.com"/);
    assert.ok(shown.includes(`action="/admin/inbox/${lead.id}/spam"`));
    assert.match(shown, /Parts<\/dt>\s*<dd>mf-pricing 1\.1\.0 \(canary\)</);
    assert.match(shown, /Signs of spam<\/dt>\s*<dd>1 link in the message/);
  });

  await t.test('searches', async () => {
    const found = await browser.post('/admin/inbox/search', { text: 'held' });
    assert.match(await found.text(), new RegExp(held.id));
  });

  await t.test('releases a lead from quarantine, and puts it back', async () => {
    const released = await browser.post(`${address}/not-spam`, {});
    assert.deepEqual([released.status, released.headers.get('location')], [303, address]);
    assert.equal((await browser.post(`${address}/not-spam`, {})).status, 409);
    assert.equal((await browser.post(`${address}/spam`, {})).status, 303);
    const [now] = await database.rows('leads', { id: held.id });
    assert.notEqual(now?.quarantinedAt, null);
  });

  await t.test('sends the deliveries that wait for a retry', async () => {
    const path = '/admin/inbox/dead-letters';
    const nextAttemptAt = new Date(Date.now() + 20 * 60 * 60_000).toISOString();
    await database.db.updateTable('outbox').set({ nextAttemptAt }).where('leadId', '=', lead.id).execute();
    assert.match(await browser.page(path), /2 deliveries wait [^]*<button>Send all waiting ones now</);
    assert.equal((await browser.post(path, {})).status, 303);
    assert.deepEqual(await database.rows('outbox', { nextAttemptAt }), []);
    assert.doesNotMatch(await browser.page(path), /<button>Send/);
  });

  await t.test('lists dead letters, and sends one or all again', async () => {
    // The lead has two deliveries, a mail and a webhook.
    await database.db.updateTable('outbox').set({ state: 'dead' }).where('leadId', '=', lead.id).execute();
    const path = '/admin/inbox/dead-letters';
    const id = /name="id" value="([^"]+)"/.exec(await browser.page(path))?.[1] ?? '';
    assert.equal((await browser.post(path, { id })).status, 303);
    assert.equal((await database.rows('outbox', { state: 'dead' })).length, 1);
    assert.equal((await browser.post(path, {})).status, 303);
    assert.deepEqual(await database.rows('outbox', { state: 'dead' }), []);

    const names = Array.from({ length: 500 }, (_, index) => `crm-${index}`);
    await storeLead(database, {}, names);
    await database.db.updateTable('outbox').set({ state: 'dead' }).execute();
    assert.match(await browser.page(path), /There are more\. These are the 500 oldest\./);
  });

  await t.test('refuses the character NUL', async () => {
    assert.equal(await browser.statusOf('/admin/inbox/%00'), 422);
    assert.equal((await browser.post('/admin/inbox/search', { text: 'a\0' })).status, 422);
  });

  await t.test('exports as CSV', async () => {
    const csv = await browser.page('/admin/inbox/export?quarantine=only');
    assert.match(csv, new RegExp(`"${held.id}"`));
    assert.doesNotMatch(csv, new RegExp(lead.id));
  });
});

describe('inbox session', () => {
  test('the cookie is HttpOnly and SameSite, and host-bound over TLS', async () => {
    const { token, setting } = ada('read');
    await using admin = await hostService(sqlite, withTokens({ setting }));
    const answerTo = (sent: string, origin: string) =>
      browse(admin.adminUrl).post('/admin/login', { token: sent }, { origin });
    const cookies = async (origin: string) => (await answerTo(token, origin)).headers.getSetCookie().join();

    assert.match(
      await cookies(admin.adminUrl),
      /^leads-session=[^;]+; path=\/; expires=[^;]+; samesite=strict; httponly,/,
    );
    assert.match(
      await cookies(admin.adminUrl.replace('http:', 'https:')),
      /^__Host-leads-session=[^;]+; path=\/; .*samesite=strict; secure; httponly,/,
    );
    const wrong = await answerTo('leads_wrong', admin.adminUrl);
    assert.deepEqual([wrong.status, wrong.headers.getSetCookie()], [401, []]);
  });

  test('a changed cookie and a replaced token end the session', async () => {
    await using database = await sqlite.open();
    const [token, successor] = [ada('read'), ada('read')];
    let cookie: string;
    const inboxStatus = (admin: HostedService, sent: string) =>
      browse(admin.adminUrl, sent).statusOf('/admin/inbox');
    {
      await using inbox = await openInbox(database, token);
      ({ cookie } = inbox.browser);
      assert.equal(await inboxStatus(inbox, cookie), 200);
      assert.equal(await inboxStatus(inbox, cookie.replace(/\.\d+;/, '.9999999999999;')), 302);
      assert.equal(await inboxStatus(inbox, ''), 302);
    }
    {
      // The secret is the same, so a restart alone ends no session.
      await using admin = await hostService(database, withTokens(token));
      assert.equal(await inboxStatus(admin, cookie), 200);
    }
    await using admin = await hostService(database, withTokens(successor));
    assert.equal(await inboxStatus(admin, cookie), 302);
  });

  test('a form from another site gets 403 (CSRF)', async () => {
    const token = ada('read', 'write');
    await using inbox = await openInbox(sqlite, token);
    const { browser, database, adminUrl } = inbox;
    const { id } = await storeLead(database);
    for (const headers of [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': '' },
    ]) {
      for (const path of [`/admin/inbox/${id}/spam`, '/admin/inbox/search', '/admin/logout']) {
        const answer = await browser.post(path, { text: 'ada' }, headers);
        assert.equal(answer.status, 403);
        assert.match(await answer.text(), /was not sent from the inbox/);
      }
    }
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const elsewhere = await browse(adminUrl).post('/admin/login', { token: token.token }, foreign);
    assert.equal(elsewhere.status, 403);
    assert.equal((await database.leads())[0]?.quarantinedAt, null);
  });

  test('errors are pages without a new session, and metrics count them', async () => {
    const token = ada('write');
    await using inbox = await openInbox(sqlite, token);
    const { browser, database } = inbox;
    const { id } = await storeLead(database);
    const locked = () => browser.post(`/admin/inbox/${id}/spam`, {});
    for (const [answer, status, message] of [
      [await database.whileLocked(locked), 503, 'The database does not answer'],
      [await browser.get('/admin/inbox'), 403, 'This needs a token'],
      [await browser.post('/admin/login', { token: 'leads_wrong' }), 401, 'Unknown token'],
      [await browser.post('/admin/inbox/none/spam', {}), 404, 'There is no lead with this id'],
      [await browser.get('/nothing'), 404, 'There is nothing at this address'],
      // A proxy's rule for a path tells letter case apart.
      [await browser.get('/Admin/Inbox'), 404, 'There is nothing at this address'],
    ] as const) {
      assert.equal(answer.status, status);
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.deepEqual(answer.headers.getSetCookie(), []);
      assert.ok((await answer.text()).includes(message), message);
    }
    assert.match(await inbox.line('the inbox cannot use the database'), /error=Error ERR_SQLITE_ERROR/);
    const metrics = await inbox.metrics();
    for (const cause of ['database-away', 'missing-scope', 'unknown-lead']) {
      assert.ok(metrics.includes(`requests_refused_total{cause="${cause}"} 1\n`), cause);
    }
    assert.match(metrics, /^requests_refused_total{cause="unauthorized"} \d/m);
  });

  test('a token without "write" and "export" gets neither buttons nor operations', async () => {
    await using inbox = await openInbox(sqlite);
    const { browser, database } = inbox;
    const lead = await storeLead(database, { classification: suspicious });
    assert.doesNotMatch(await browser.page(`/admin/inbox/${lead.id}`), /not-spam/);
    assert.equal((await browser.post(`/admin/inbox/${lead.id}/not-spam`, {})).status, 403);
    assert.equal(await browser.statusOf('/admin/inbox/export'), 403);
  });

  test('a session over a network requires TLS and the __Host- cookie', async () => {
    const token = ada('read');
    await using inbox = await openInbox(sqlite, token);
    const host = 'leads.example.com';
    const inboxStatus = async (cookie: string) =>
      (await sendRaw(`${inbox.adminUrl}/admin/inbox`, { host, cookie })).status;
    const loginStatus = async (origin: string) => {
      const headers = { host, origin, 'content-type': 'application/x-www-form-urlencoded' };
      return (await sendRaw(`${inbox.adminUrl}/admin/login`, headers, `token=${token.token}`)).status;
    };
    const origin = inbox.adminUrl.replace('http:', 'https:');
    const secure = await logIn(inbox.adminUrl, token.token, origin);

    assert.equal(await inboxStatus(inbox.browser.cookie), 302);
    assert.equal(await inboxStatus(secure), 200);
    assert.equal(await loginStatus(`http://${host}`), 403);
    assert.equal(await loginStatus(`https://${host}`), 303);
  });

  test('logout deletes the cookie', async () => {
    await using inbox = await openInbox(sqlite);
    const answer = await inbox.browser.post('/admin/logout', {});
    assert.match(answer.headers.getSetCookie().join(), /^leads-session=; path=\/; expires=Thu, 01 Jan 1970/);
    assert.equal(answer.headers.get('location'), '/admin/login');
  });

  test('an address that fails ten times is refused and logged once; others are not', async () => {
    const token = ada('read');
    await using admin = await hostService(sqlite, { ...withTokens(token), TRUSTED_PROXY_HOPS: '1' });
    const logInFrom = async (address: string, sent: string) =>
      (await browse(admin.adminUrl).post('/admin/login', { token: sent }, { 'x-forwarded-for': address }))
        .status;
    for (let attempt = 0; attempt < 5; attempt += 1) {
      assert.equal(await logInFrom('203.0.113.1', 'leads_wrong'), 401);
      const headers = { authorization: 'Bearer leads_wrong', 'x-forwarded-for': '203.0.113.1' };
      const answer = await fetch(admin.adminUrl + pageReportCountsPath, { headers });
      assert.equal(answer.status, 401, 'the page reports count together with the inbox');
    }
    assert.equal(await logInFrom('203.0.113.1', token.token), 429);
    assert.equal(await logInFrom('203.0.113.2', token.token), 303);
    assert.equal(admin.lines.filter((line) => line.includes('have failed too often')).length, 1);
  });
});
