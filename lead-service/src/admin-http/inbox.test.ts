import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { describe, mock, test } from 'node:test';
import { hostService, makeToken, withTokens, type TestToken } from '../testing/hosted-service.ts';
import { suspicious, storeLead } from '../testing/store-lead.ts';
import { databaseKinds, sqlite } from '../testing/test-databases.ts';

interface Browser {
  readonly get: (path: string) => Promise<Response>;
  readonly post: (
    path: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ) => Promise<Response>;
}

/** Sends the headers of a browser. */
function browse(url: string, cookie = ''): Browser {
  return {
    get: (path) => fetch(url + path, { headers: { cookie }, redirect: 'manual' }),
    post: (path, fields, headers = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: { cookie, origin: url, 'sec-fetch-site': 'same-origin', ...headers },
        body: new URLSearchParams(fields),
        redirect: 'manual',
      }),
  };
}

async function logIn(url: string, { token }: TestToken): Promise<string> {
  const answer = await browse(url).post('/admin/login', { token });
  assert.equal(answer.status, 303);
  return (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
}

async function csrfOf(page: Response): Promise<string> {
  return /name="csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
}

for (const kind of databaseKinds) {
  describe(`inbox on ${kind.name}`, kind.options, () => {
    test('pages list, filter, show, search, change, release and export leads', async (t) => {
      const token = makeToken('ada', ['read', 'write', 'export']);
      await using admin = await hostService(kind, withTokens(token));
      const lead = await storeLead(admin.database, {
        name: '<b>"Ada" & Co</b>',
        spamReasons: '["hidden or reordering characters in the name or company"]',
      });
      const held = await storeLead(admin.database, { name: 'Held', classification: suspicious });
      const browser = browse(admin.adminUrl, await logIn(admin.adminUrl, token));

      await t.test('lists leads with escaped names, under a strict policy and without cache', async () => {
        const list = await browser.get('/admin/inbox');
        assert.equal(list.headers.get('cache-control'), 'no-store');
        assert.match(
          list.headers.get('content-security-policy') ?? '',
          /^default-src 'none'; style-src 'self';/,
        );
        const markup = await list.text();
        assert.ok(
          markup.includes('&#60;b&#62;&#34;Ada&#34; &#38; Co&#60;/b&#62;') && !markup.includes('<b>'),
        );
        assert.doesNotMatch(markup, /Held|<script/);
      });

      await t.test('filters by quarantine and status', async () => {
        assert.match(await (await browser.get('/admin/inbox?quarantine=only')).text(), /Held/);
        assert.doesNotMatch(await (await browser.get('/admin/inbox?status=won')).text(), new RegExp(lead.id));
      });
      const page = await browser.get(`/admin/inbox/${held.id}`);
      const csrf = await csrfOf(page);

      await t.test('shows the signs of spam of a lead outside the quarantine', async () => {
        const shown = await (await browser.get(`/admin/inbox/${lead.id}`)).text();
        assert.match(shown, /<input type="hidden" name="text" value="ada@example\.com"/);
        assert.ok(shown.includes(`action="/admin/inbox/${lead.id}/spam"`));
        assert.match(shown, /Signs of spam<\/dt>\s*<dd>hidden or reordering characters/);
      });

      await t.test('searches', async () => {
        const found = await browser.post('/admin/inbox/search', { csrf, text: 'held' });
        assert.match(await found.text(), new RegExp(held.id));
      });

      await t.test('changes a status, and releases a lead from quarantine', async () => {
        const saved = await browser.post(`/admin/inbox/${held.id}/status`, { csrf, status: 'contacted' });
        assert.deepEqual([saved.status, saved.headers.get('location')], [303, `/admin/inbox/${held.id}`]);
        assert.equal((await browser.post(`/admin/inbox/${held.id}/not-spam`, { csrf })).status, 303);
        assert.equal((await browser.post(`/admin/inbox/${held.id}/spam`, { csrf })).status, 303);
        assert.match(await (await browser.get('/admin/inbox?quarantine=only')).text(), new RegExp(held.id));
        assert.equal((await browser.post(`/admin/inbox/${held.id}/not-spam`, { csrf })).status, 303);
      });

      await t.test('refuses the character NUL', async () => {
        assert.equal((await browser.get('/admin/inbox/%00')).status, 422);
        assert.equal((await browser.post('/admin/inbox/search', { csrf, text: 'a\0' })).status, 422);
      });

      await t.test('exports as CSV', async () => {
        const csv = await browser.get('/admin/inbox/export?status=contacted');
        assert.match(await csv.text(), new RegExp(`"${held.id}"`));
      });

      await t.test('stores the changes', async () => {
        const now = await admin.database.db
          .selectFrom('leads')
          .selectAll()
          .where('id', '=', held.id)
          .execute();
        assert.deepEqual([now[0]?.status, now[0]?.quarantinedAt], ['contacted', null]);
      });

      await t.test('each operation has an audit entry', async () => {
        const entries = await admin.database.db
          .selectFrom('auditEntries')
          .selectAll()
          .orderBy('id')
          .execute();
        assert.deepEqual(
          entries.map(({ actor, action }) => `${actor} ${action}`),
          [
            ...['ada inbox.login', 'ada lead.list', 'ada lead.list', 'ada lead.list', 'ada lead.read'],
            ...[
              'ada lead.read',
              'ada lead.search',
              'ada lead.set-status',
              'ada lead.not-spam',
              'ada lead.spam',
              'ada lead.list',
              'ada lead.not-spam',
              'ada lead.export',
              'ada lead.export-page',
            ],
          ],
        );
      });
    });
  });
}

describe('inbox session', () => {
  test('the cookie is HttpOnly and SameSite, and host-bound over TLS', async () => {
    const token = makeToken('ada', ['read']);
    await using admin = await hostService(sqlite, withTokens(token));
    const { host } = new URL(admin.adminUrl);
    const cookie = async (origin: string) =>
      (
        await browse(admin.adminUrl).post('/admin/login', { token: token.token }, { origin })
      ).headers.getSetCookie();

    assert.match(
      (await cookie(admin.adminUrl)).join(),
      /^leads-session=[^;]+; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/,
    );
    assert.match(
      (await cookie(`https://${host}`)).join(),
      /^__Host-leads-session=[^;]+; .*HttpOnly; SameSite=Strict; Secure$/,
    );
    const wrong = await browse(admin.adminUrl).post('/admin/login', { token: 'leads_wrong' });
    assert.deepEqual([wrong.status, wrong.headers.getSetCookie()], [401, []]);
  });

  test('a changed cookie, and a removed or replaced token, end the session', async () => {
    await using database = await sqlite.open();
    const [token, successor] = [makeToken('ada', ['read']), makeToken('ada', ['read'])];
    let cookie: string;
    const statusOf = async (url: string, sent: string) =>
      (await browse(url, sent).get('/admin/inbox')).status;
    {
      await using admin = await hostService(database, withTokens(token));
      cookie = await logIn(admin.adminUrl, token);
      assert.equal(await statusOf(admin.adminUrl, cookie), 200);
      assert.equal(await statusOf(admin.adminUrl, cookie.replace(/\.\d+\./, '.9999999999999.')), 302);
      assert.equal(await statusOf(admin.adminUrl, ''), 302);
    }
    {
      // The secret is the same, so a restart alone ends no session.
      await using admin = await hostService(database, withTokens(token));
      assert.equal(await statusOf(admin.adminUrl, cookie), 200);
    }
    await using admin = await hostService(database, withTokens(successor));
    assert.equal(await statusOf(admin.adminUrl, cookie), 302);
  });

  test('a form from another site gets 403 (CSRF)', async () => {
    const token = makeToken('ada', ['read', 'write']);
    await using admin = await hostService(sqlite, withTokens(token));
    const lead = await storeLead(admin.database);
    const cookie = await logIn(admin.adminUrl, token);
    const browser = browse(admin.adminUrl, cookie);
    const csrf = await csrfOf(await browser.get(`/admin/inbox/${lead.id}`));
    const others = await csrfOf(
      await browse(admin.adminUrl, await logIn(admin.adminUrl, token)).get('/admin/inbox'),
    );
    const path = `/admin/inbox/${lead.id}/status`;
    assert.ok(csrf !== '' && others !== '' && csrf !== others);

    for (const [fields, headers] of [
      [{ status: 'won' }, {}],
      [{ status: 'won', csrf: others }, {}],
      [{ status: 'won', csrf }, { origin: 'https://evil.example' }],
      [{ status: 'won', csrf }, { origin: 'null' }],
      [{ status: 'won', csrf }, { 'sec-fetch-site': 'cross-site' }],
    ] as const) {
      const answer = await browser.post(path, { ...fields }, headers);
      assert.equal(answer.status, 403);
      assert.match(await answer.text(), /was not sent from the inbox/);
    }
    const elsewhere = await browse(admin.adminUrl).post(
      '/admin/login',
      { token: token.token },
      { origin: 'https://evil.example' },
    );
    assert.equal(elsewhere.status, 403);
    const [row] = await admin.database.db.selectFrom('leads').select('status').execute();
    assert.equal(row?.status, 'new');
    assert.equal((await browser.post(path, { status: 'won', csrf })).status, 303);
  });

  test('errors are pages without a new session, and metrics count them', async () => {
    const token = makeToken('ada', ['write']);
    await using admin = await hostService(sqlite, { ...withTokens(token), METRICS_PORT: '0' });
    const session = browse(admin.adminUrl, await logIn(admin.adminUrl, token));
    const locked = () => browse(admin.adminUrl).post('/admin/login', { token: token.token });
    for (const [answer, status, message] of [
      [await admin.database.whileLocked(locked), 503, 'The database does not answer'],
      [await session.get('/admin/inbox'), 403, 'This needs a token'],
      [await session.post('/admin/inbox/none/status', { status: 'won' }), 403, 'was not sent from the inbox'],
    ] as const) {
      assert.equal(answer.status, status);
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.deepEqual(answer.headers.getSetCookie(), []);
      assert.ok((await answer.text()).includes(message), message);
    }
    const metricsUrl = /http:\S+/.exec(await admin.line('metrics on'))?.[0] ?? assert.fail();
    const metrics = await (await fetch(metricsUrl)).text();
    for (const cause of ['database-away', 'missing-scope', 'forged-form']) {
      assert.ok(metrics.includes(`requests_refused_total{cause="${cause}"} 1\n`), cause);
    }
  });

  test('a token without "write" and "export" gets neither buttons nor operations', async () => {
    const token = makeToken('ada', ['read']);
    await using admin = await hostService(sqlite, withTokens(token));
    const lead = await storeLead(admin.database, { classification: suspicious });
    const browser = browse(admin.adminUrl, await logIn(admin.adminUrl, token));
    const page = await browser.get(`/admin/inbox/${lead.id}`);
    const csrf = await csrfOf(page.clone());
    assert.doesNotMatch(await page.text(), /not-spam|name="status"/);
    assert.equal((await browser.post(`/admin/inbox/${lead.id}/status`, { csrf, status: 'won' })).status, 403);
    assert.equal((await browser.get('/admin/inbox/export')).status, 403);
  });

  test('a session over a network requires TLS and the __Host- cookie', async () => {
    const token = makeToken('ada', ['read']);
    await using admin = await hostService(sqlite, withTokens(token));
    const host = 'leads.example.com';
    const cookie = (await logIn(admin.adminUrl, token)).replace('leads-session=', '');
    const seen = (sent: string) => statusAt(admin.adminUrl, '/admin/inbox', { host, cookie: sent });
    const begun = (origin: string) =>
      statusAt(admin.adminUrl, '/admin/login', { host, origin }, new URLSearchParams({ token: token.token }));

    assert.equal(await seen(`leads-session=${cookie}`), 302);
    assert.equal(await seen(`__Host-leads-session=${cookie}`), 200);
    assert.equal(await begun(`http://${host}`), 403);
    assert.equal(await begun(`https://${host}`), 303);
  });

  test('a session from a clock that was ahead is invalid', async () => {
    await using database = await sqlite.open();
    const token = makeToken('ada', ['read']);
    const day = 24 * 60 * 60_000;
    mock.timers.enable({ apis: ['Date'], now: Date.now() + day });
    let cookie: string;
    try {
      await using admin = await hostService(database, withTokens(token));
      cookie = await logIn(admin.adminUrl, token);
      assert.equal((await browse(admin.adminUrl, cookie).get('/admin/inbox')).status, 200);
    } finally {
      mock.timers.reset();
    }
    await using admin = await hostService(database, withTokens(token));
    assert.equal((await browse(admin.adminUrl, cookie).get('/admin/inbox')).status, 302);
  });

  for (const kind of databaseKinds) {
    test(`logout revokes the session in every instance, on ${kind.name}`, kind.options, async () => {
      await using database = await kind.open();
      const token = makeToken('ada', ['read']);
      let copied: string;
      let other: string;
      {
        await using admin = await hostService(database, withTokens(token));
        copied = await logIn(admin.adminUrl, token);
        other = await logIn(admin.adminUrl, token);
        await admin.database.db
          .insertInto('endedSessions')
          .values({ id: 'old', expiresAt: '2020' })
          .execute();
        const browser = browse(admin.adminUrl, copied);
        const csrf = await csrfOf(await browser.get('/admin/inbox'));

        const answer = await browser.post('/admin/logout', { csrf });

        assert.match(answer.headers.getSetCookie().join(), /^leads-session=; Path=\/; Max-Age=0;/);
        assert.equal(answer.headers.get('location'), '/admin/login');
        assert.equal((await browser.get('/admin/inbox')).status, 302);
        const ended = await admin.database.db.selectFrom('endedSessions').select('id').execute();
        assert.equal(ended.length, 1);
      }
      await using admin = await hostService(database, withTokens(token));
      assert.equal((await browse(admin.adminUrl, copied).get('/admin/inbox')).status, 302);
      assert.equal((await browse(admin.adminUrl, other).get('/admin/inbox')).status, 200);
    });
  }

  test('a failed login has an audit entry without the token', async () => {
    await using admin = await hostService(sqlite, withTokens(makeToken('ada', ['read'])));
    const stranger = makeToken('eve', ['read']);
    await browse(admin.adminUrl).post('/admin/login', { token: stranger.token });
    await admin.call(stranger, 'GET', '/admin/api/leads');
    await admin.call(undefined, 'GET', '/admin/api/leads');
    const entries = await admin.database.db
      .selectFrom('auditEntries')
      .select(['actor', 'action', 'leadId', 'details'])
      .orderBy('id')
      .execute();
    const nothing = { actor: '(unknown)', leadId: null, details: '{}' };
    assert.deepEqual(entries, [
      { ...nothing, action: 'inbox.login-failed' },
      { ...nothing, action: 'api.login-failed' },
    ]);
  });
});

/** The status of a request with this `Host` header, which `fetch` cannot set. */
async function statusAt(
  url: string,
  path: string,
  headers: Record<string, string>,
  form?: URLSearchParams,
): Promise<number | undefined> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const sent = request(url + path, {
    method: form ? 'POST' : 'GET',
    headers: { ...headers, ...(form && type) },
  });
  sent.end(form?.toString());
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}
