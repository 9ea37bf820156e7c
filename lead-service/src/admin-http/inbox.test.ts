import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { describe, mock, test } from 'node:test';
import { hostService, makeToken, withTokens, type HostedService } from '../testing/hosted-service.ts';
import { storeLead, suspicious } from '../testing/store-lead.ts';
import { databaseKinds, sqlite, type DatabaseKind, type OpenedDatabase } from '../testing/test-databases.ts';
import type { AdminScope } from './admin-token.ts';

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
type Browser = ReturnType<typeof browse>;

const ada = (...scopes: readonly AdminScope[]) => makeToken('ada', scopes);

async function logIn(url: string, { token }: { readonly token: string }): Promise<Browser> {
  const answer = await browse(url).post('/admin/login', { token });
  assert.equal(answer.status, 303);
  return browse(url, (answer.headers.getSetCookie()[0] ?? '').split(';')[0]);
}

interface Inbox extends HostedService {
  /** With a session. */
  readonly browser: Browser;
}

async function openInbox(
  on: DatabaseKind | OpenedDatabase,
  token = ada('read'),
  settings: Record<string, string> = {},
): Promise<Inbox> {
  const service = await hostService(on, { ...withTokens(token), ...settings });
  return { ...service, browser: await logIn(service.adminUrl, token) };
}

function csrfIn(page: string): string {
  return /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
}

test('inbox: pages list, filter, show, search, change, release and export leads', async (t) => {
  await using inbox = await openInbox(sqlite, ada('read', 'write', 'export'));
  const { browser, database } = inbox;
  const lead = await storeLead(database, {
    name: '<b>"Ada" & Co</b>',
    spamReasons: '["hidden or reordering characters in the name or company"]',
    attribution: '{"parts":[{"part":"mf-pricing","version":"1.1.0","group":"canary"}]}',
  });
  const held = await storeLead(database, { name: 'Held', classification: suspicious });
  const address = `/admin/inbox/${held.id}`;

  await t.test('lists leads with escaped names, under a strict policy and without cache', async () => {
    const { headers } = await browser.get('/admin/inbox');
    assert.equal(headers.get('cache-control'), 'no-store');
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'self';/);
    const markup = await browser.page('/admin/inbox');
    assert.ok(markup.includes('&#60;b&#62;&#34;Ada&#34; &#38; Co&#60;/b&#62;'));
    assert.doesNotMatch(markup, /Held|<script|<b>/);
  });

  await t.test('filters by quarantine and status', async () => {
    assert.match(await browser.page('/admin/inbox?quarantine=only'), /Held/);
    assert.doesNotMatch(await browser.page('/admin/inbox?status=won'), new RegExp(lead.id));
  });
  const csrf = csrfIn(await browser.page(address));

  await t.test('shows origin and signs of spam of a lead outside the quarantine', async () => {
    const shown = await browser.page(`/admin/inbox/${lead.id}`);
    assert.match(shown, /<input type="hidden" name="text" value="ada@example\.com"/);
    assert.ok(shown.includes(`action="/admin/inbox/${lead.id}/spam"`));
    assert.match(shown, /Parts<\/dt>\s*<dd>mf-pricing 1\.1\.0 \(canary\)</);
    assert.match(shown, /Signs of spam<\/dt>\s*<dd>hidden or reordering characters/);
  });

  await t.test('searches', async () => {
    const found = await browser.post('/admin/inbox/search', { csrf, text: 'held' });
    assert.match(await found.text(), new RegExp(held.id));
  });

  await t.test('changes a status, and releases a lead from quarantine', async () => {
    const saved = await browser.post(`${address}/status`, { csrf, status: 'contacted' });
    assert.deepEqual([saved.status, saved.headers.get('location')], [303, address]);
    assert.equal((await browser.post(`${address}/not-spam`, { csrf })).status, 303);
    assert.equal((await browser.post(`${address}/spam`, { csrf })).status, 303);
    assert.match(await browser.page('/admin/inbox?quarantine=only'), new RegExp(held.id));
    assert.equal((await browser.post(`${address}/not-spam`, { csrf })).status, 303);
  });

  await t.test('refuses the character NUL', async () => {
    assert.equal(await browser.statusOf('/admin/inbox/%00'), 422);
    assert.equal((await browser.post('/admin/inbox/search', { csrf, text: 'a\0' })).status, 422);
  });

  await t.test('exports as CSV', async () => {
    const csv = await browser.page('/admin/inbox/export?status=contacted');
    assert.match(csv, new RegExp(`"${held.id}"`));
  });

  await t.test('stores the changes', async () => {
    const [now] = await database.rows('leads', { id: held.id });
    assert.deepEqual([now?.status, now?.quarantinedAt], ['contacted', null]);
  });

  await t.test('each operation has an audit entry', async () => {
    const entries = await database.rows('auditEntries');
    assert.deepEqual(
      entries.map(({ actor, action }) => `${actor} ${action}`),
      [
        ...['ada inbox.login', 'ada lead.list', 'ada lead.list', 'ada lead.list', 'ada lead.list'],
        ...['ada lead.read', 'ada lead.read', 'ada lead.search', 'ada lead.set-status'],
        ...['ada lead.not-spam', 'ada lead.spam', 'ada lead.list', 'ada lead.not-spam'],
        ...['ada lead.export', 'ada lead.export-page'],
      ],
    );
  });
});

describe('inbox session', () => {
  test('the cookie is HttpOnly and SameSite, and host-bound over TLS', async () => {
    const { token, setting } = ada('read');
    await using admin = await hostService(sqlite, withTokens({ token, setting }));
    const answerTo = (sent: string, origin: string) =>
      browse(admin.adminUrl).post('/admin/login', { token: sent }, { origin });
    const cookies = async (origin: string) => (await answerTo(token, origin)).headers.getSetCookie().join();

    assert.match(
      await cookies(admin.adminUrl),
      /^leads-session=[^;]+; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/,
    );
    assert.match(
      await cookies(admin.adminUrl.replace('http:', 'https:')),
      /^__Host-leads-session=[^;]+; .*HttpOnly; SameSite=Strict; Secure$/,
    );
    const wrong = await answerTo('leads_wrong', admin.adminUrl);
    assert.deepEqual([wrong.status, wrong.headers.getSetCookie()], [401, []]);
  });

  test('a changed cookie, and a removed or replaced token, end the session', async () => {
    await using database = await sqlite.open();
    const [token, successor] = [ada('read'), ada('read')];
    let cookie: string;
    const statusAt = (admin: HostedService, sent: string) =>
      browse(admin.adminUrl, sent).statusOf('/admin/inbox');
    {
      await using inbox = await openInbox(database, token);
      ({ cookie } = inbox.browser);
      assert.equal(await statusAt(inbox, cookie), 200);
      assert.equal(await statusAt(inbox, cookie.replace(/\.\d+\./, '.9999999999999.')), 302);
      assert.equal(await statusAt(inbox, ''), 302);
    }
    {
      // The secret is the same, so a restart alone ends no session.
      await using admin = await hostService(database, withTokens(token));
      assert.equal(await statusAt(admin, cookie), 200);
    }
    await using admin = await hostService(database, withTokens(successor));
    assert.equal(await statusAt(admin, cookie), 302);
  });

  test('a form from another site gets 403 (CSRF)', async () => {
    const token = ada('read', 'write');
    await using inbox = await openInbox(sqlite, token);
    const { browser, database, adminUrl } = inbox;
    const lead = await storeLead(database);
    const csrf = csrfIn(await browser.page(`/admin/inbox/${lead.id}`));
    const others = csrfIn(await (await logIn(adminUrl, token)).page('/admin/inbox'));
    const path = `/admin/inbox/${lead.id}/status`;
    assert.ok(csrf !== '' && others !== '' && csrf !== others);

    for (const [fields, headers] of [
      [{ status: 'won' }, {}],
      [{ status: 'won', csrf: others }, {}],
      [
        { status: 'won', csrf },
        { origin: 'https://evil.example', 'sec-fetch-site': '' },
      ],
      [
        { status: 'won', csrf },
        { origin: 'null', 'sec-fetch-site': '' },
      ],
      [{ status: 'won', csrf }, { 'sec-fetch-site': 'cross-site' }],
    ] as const) {
      const answer = await browser.post(path, { ...fields }, headers);
      assert.equal(answer.status, 403);
      assert.match(await answer.text(), /was not sent from the inbox/);
    }
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const elsewhere = await browse(adminUrl).post('/admin/login', { token: token.token }, foreign);
    assert.equal(elsewhere.status, 403);
    const [row] = await database.leads();
    assert.equal(row?.status, 'new');
    assert.equal((await browser.post(path, { status: 'won', csrf })).status, 303);
  });

  test('errors are pages without a new session, and metrics count them', async () => {
    const token = ada('write');
    await using inbox = await openInbox(sqlite, token);
    const { browser, database } = inbox;
    const locked = () => browse(inbox.adminUrl).post('/admin/login', { token: token.token });
    for (const [answer, status, message] of [
      [await database.whileLocked(locked), 503, 'The database does not answer'],
      [await browser.get('/admin/inbox'), 403, 'This needs a token'],
      [await browser.post('/admin/inbox/none/status', { status: 'won' }), 403, 'was not sent from the inbox'],
    ] as const) {
      assert.equal(answer.status, status);
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.deepEqual(answer.headers.getSetCookie(), []);
      assert.ok((await answer.text()).includes(message), message);
    }
    const metrics = await inbox.metrics();
    for (const cause of ['database-away', 'missing-scope', 'forged-form']) {
      assert.ok(metrics.includes(`requests_refused_total{cause="${cause}"} 1\n`), cause);
    }
  });

  test('a token without "write" and "export" gets neither buttons nor operations', async () => {
    await using inbox = await openInbox(sqlite);
    const { browser, database } = inbox;
    const lead = await storeLead(database, { classification: suspicious });
    const page = await browser.page(`/admin/inbox/${lead.id}`);
    assert.doesNotMatch(page, /not-spam|name="status"/);
    const fields = { csrf: csrfIn(page), status: 'won' };
    assert.equal((await browser.post(`/admin/inbox/${lead.id}/status`, fields)).status, 403);
    assert.equal(await browser.statusOf('/admin/inbox/export'), 403);
  });

  test('a session over a network requires TLS and the __Host- cookie', async () => {
    const token = ada('read');
    await using inbox = await openInbox(sqlite, token);
    const host = 'leads.example.com';
    const seen = (cookie: string) => statusAt(`${inbox.adminUrl}/admin/inbox`, { host, cookie });
    const begun = (origin: string) =>
      statusAt(
        `${inbox.adminUrl}/admin/login`,
        { host, origin, 'content-type': 'application/x-www-form-urlencoded' },
        new URLSearchParams({ token: token.token }),
      );

    assert.equal(await seen(inbox.browser.cookie), 302);
    assert.equal(await seen(`__Host-${inbox.browser.cookie}`), 200);
    assert.equal(await begun(`http://${host}`), 403);
    assert.equal(await begun(`https://${host}`), 303);
  });

  test('a session from a clock that was ahead is invalid', async () => {
    await using database = await sqlite.open();
    const token = ada('read');
    const day = 24 * 60 * 60_000;
    mock.timers.enable({ apis: ['Date'], now: Date.now() + day });
    let cookie: string;
    try {
      await using inbox = await openInbox(database, token);
      ({ cookie } = inbox.browser);
      assert.equal(await inbox.browser.statusOf('/admin/inbox'), 200);
    } finally {
      mock.timers.reset();
    }
    await using admin = await hostService(database, withTokens(token));
    assert.equal(await browse(admin.adminUrl, cookie).statusOf('/admin/inbox'), 302);
  });

  for (const kind of databaseKinds) {
    test(`logout revokes the session in every instance, on ${kind.name}`, kind.options, async () => {
      await using database = await kind.open();
      const token = ada('read');
      let copied: string;
      let other: string;
      {
        await using inbox = await openInbox(database, token);
        const { browser } = inbox;
        copied = browser.cookie;
        other = (await logIn(inbox.adminUrl, token)).cookie;
        await database.insert('endedSessions', { id: 'old', expiresAt: '2020' });
        const csrf = csrfIn(await browser.page('/admin/inbox'));

        const answer = await browser.post('/admin/logout', { csrf });

        assert.match(answer.headers.getSetCookie().join(), /^leads-session=; Path=\/; Max-Age=0;/);
        assert.equal(answer.headers.get('location'), '/admin/login');
        assert.equal(await browser.statusOf('/admin/inbox'), 302);
        assert.equal((await database.rows('endedSessions')).length, 1);
      }
      await using admin = await hostService(database, withTokens(token));
      assert.equal(await browse(admin.adminUrl, copied).statusOf('/admin/inbox'), 302);
      assert.equal(await browse(admin.adminUrl, other).statusOf('/admin/inbox'), 200);
    });
  }
});

/** The status of a request with a `Host` header, which `fetch` cannot set. */
async function statusAt(url: string, headers: Record<string, string>, form?: URLSearchParams) {
  const sent = request(url, { method: form ? 'POST' : 'GET', headers });
  sent.end(form?.toString());
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}
