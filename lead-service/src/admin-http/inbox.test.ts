import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { storeLead, suspicious } from '../testing/desk-database.ts';
import { makeToken, serveAdministration, type TestToken } from '../testing/served-administration.ts';
import { databaseKinds } from '../testing/test-databases.ts';

interface Browser {
  readonly get: (path: string) => Promise<Response>;
  readonly post: (
    path: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ) => Promise<Response>;
}

/** Sends what a browser sends by itself. */
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
  describe(`the inbox on ${kind.name}`, () => {
    test('lists, filters, shows, searches, changes, releases and exports leads', async () => {
      await using database = await kind.create();
      const token = makeToken('ada', ['read', 'write', 'export']);
      await using admin = await serveAdministration(database, [token]);
      const lead = await storeLead(admin.desk, { name: '<b>"Ada" & Co</b>' });
      const held = await storeLead(admin.desk, { name: 'Held', verdict: suspicious });
      const browser = browse(admin.url, await logIn(admin.url, token));

      const list = await browser.get('/admin/inbox');
      assert.equal(list.headers.get('cache-control'), 'no-store');
      assert.match(
        list.headers.get('content-security-policy') ?? '',
        /^default-src 'none'; style-src 'self';/,
      );
      const markup = await list.text();
      assert.ok(markup.includes('&#60;b&#62;&#34;Ada&#34; &#38; Co&#60;/b&#62;') && !markup.includes('<b>'));
      assert.doesNotMatch(markup, /Held|<script/);
      assert.match(await (await browser.get('/admin/inbox?quarantine=only')).text(), /Held/);
      assert.doesNotMatch(await (await browser.get('/admin/inbox?status=won')).text(), new RegExp(lead.id));

      const page = await browser.get(`/admin/inbox/${held.id}`);
      const csrf = await csrfOf(page);
      const found = await browser.post('/admin/inbox/search', { csrf, text: 'held' });
      assert.match(await found.text(), new RegExp(held.id));
      const saved = await browser.post(`/admin/inbox/${held.id}/status`, { csrf, status: 'contacted' });
      assert.deepEqual([saved.status, saved.headers.get('location')], [303, `/admin/inbox/${held.id}`]);
      assert.equal((await browser.post(`/admin/inbox/${held.id}/not-spam`, { csrf })).status, 303);
      assert.equal((await browser.get('/admin/inbox/%00')).status, 422);
      assert.equal((await browser.post('/admin/inbox/search', { csrf, text: 'a\0' })).status, 422);
      const csv = await browser.get('/admin/inbox/export?status=contacted');
      assert.match(await csv.text(), new RegExp(`"${held.id}"`));

      const now = await admin.desk.db.selectFrom('leads').selectAll().where('id', '=', held.id).execute();
      assert.deepEqual([now[0]?.status, now[0]?.quarantinedAt], ['contacted', null]);
      const entries = await admin.desk.db.selectFrom('auditEntries').selectAll().orderBy('id').execute();
      assert.deepEqual(
        entries.map(({ actor, action }) => `${actor} ${action}`),
        [
          ...['ada inbox.login', 'ada lead.list', 'ada lead.list', 'ada lead.list', 'ada lead.read'],
          ...[
            'ada lead.search',
            'ada lead.set-status',
            'ada lead.not-spam',
            'ada lead.export',
            'ada lead.export-page',
          ],
        ],
      );
    });
  });
}

describe('the session of the inbox', () => {
  const [{ create }] = databaseKinds as [(typeof databaseKinds)[number]];

  test('is a cookie that no script reads and no other site sends; over TLS it is bound to the host', async () => {
    await using database = await create();
    const token = makeToken('ada', ['read']);
    await using admin = await serveAdministration(database, [token]);
    const { host } = new URL(admin.url);
    const cookie = async (origin: string) =>
      (
        await browse(admin.url).post('/admin/login', { token: token.token }, { origin })
      ).headers.getSetCookie();

    assert.match(
      (await cookie(admin.url)).join(),
      /^leads-session=[^;]+; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/,
    );
    assert.match(
      (await cookie(`https://${host}`)).join(),
      /^__Host-leads-session=[^;]+; .*HttpOnly; SameSite=Strict; Secure$/,
    );
    const wrong = await browse(admin.url).post('/admin/login', { token: 'leads_wrong' });
    assert.deepEqual([wrong.status, wrong.headers.getSetCookie()], [401, []]);
  });

  test('is refused when it was changed, and when its token is removed or replaced under the same name', async () => {
    await using database = await create();
    const [token, successor] = [makeToken('ada', ['read']), makeToken('ada', ['read'])];
    let cookie: string;
    const statusOf = async (url: string, sent: string) =>
      (await browse(url, sent).get('/admin/inbox')).status;
    {
      await using admin = await serveAdministration(database, [token]);
      cookie = await logIn(admin.url, token);
      assert.equal(await statusOf(admin.url, cookie), 200);
      assert.equal(await statusOf(admin.url, cookie.replace(/\.\d+\./, '.9999999999999.')), 302);
      assert.equal(await statusOf(admin.url, ''), 302);
    }
    {
      // The same secret: a restart alone ends no session.
      await using admin = await serveAdministration(database, [token]);
      assert.equal(await statusOf(admin.url, cookie), 200);
    }
    await using admin = await serveAdministration(database, [successor]);
    assert.equal(await statusOf(admin.url, cookie), 302);
  });

  test('changes nothing for a form that was made elsewhere: 403', async () => {
    await using database = await create();
    const token = makeToken('ada', ['read', 'write']);
    await using admin = await serveAdministration(database, [token]);
    const lead = await storeLead(admin.desk);
    const cookie = await logIn(admin.url, token);
    const browser = browse(admin.url, cookie);
    const csrf = await csrfOf(await browser.get(`/admin/inbox/${lead.id}`));
    const others = await csrfOf(await browse(admin.url, await logIn(admin.url, token)).get('/admin/inbox'));
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
    const elsewhere = await browse(admin.url).post(
      '/admin/login',
      { token: token.token },
      { origin: 'https://evil.example' },
    );
    assert.equal(elsewhere.status, 403);
    const [row] = await admin.desk.db.selectFrom('leads').select('status').execute();
    assert.equal(row?.status, 'new');
    assert.equal((await browser.post(path, { status: 'won', csrf })).status, 303);
  });

  test('may do what its token may: without "write" and "export" there are no such buttons and no such deeds', async () => {
    await using database = await create();
    const token = makeToken('ada', ['read']);
    await using admin = await serveAdministration(database, [token]);
    const lead = await storeLead(admin.desk, { verdict: suspicious });
    const browser = browse(admin.url, await logIn(admin.url, token));
    const page = await browser.get(`/admin/inbox/${lead.id}`);
    const csrf = await csrfOf(page.clone());
    assert.doesNotMatch(await page.text(), /not-spam|name="status"/);
    assert.equal((await browser.post(`/admin/inbox/${lead.id}/status`, { csrf, status: 'won' })).status, 403);
    assert.equal((await browser.get('/admin/inbox/export')).status, 403);
  });

  test('over a network counts only as the cookie that no neighbouring host can set, and begins only over TLS', async () => {
    await using database = await create();
    const token = makeToken('ada', ['read']);
    await using admin = await serveAdministration(database, [token]);
    const host = 'leads.example.com';
    const cookie = (await logIn(admin.url, token)).replace('leads-session=', '');
    const seen = (sent: string) => statusAt(admin.url, '/admin/inbox', { host, cookie: sent });
    const begun = (origin: string) =>
      statusAt(admin.url, '/admin/login', { host, origin }, new URLSearchParams({ token: token.token }));

    assert.equal(await seen(`leads-session=${cookie}`), 302);
    assert.equal(await seen(`__Host-leads-session=${cookie}`), 200);
    assert.equal(await begun(`http://${host}`), 403);
    assert.equal(await begun(`https://${host}`), 303);
  });

  test('is over if a clock that was ahead began it', async () => {
    await using database = await create();
    const token = makeToken('ada', ['read']);
    let cookie: string;
    {
      const ahead = 'const{now}=Date;Date.now=()=>now()+864e5';
      const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(ahead)}` };
      await using admin = await serveAdministration(database, [token], environment);
      cookie = await logIn(admin.url, token);
      assert.equal((await browse(admin.url, cookie).get('/admin/inbox')).status, 200);
    }
    await using admin = await serveAdministration(database, [token]);
    assert.equal((await browse(admin.url, cookie).get('/admin/inbox')).status, 302);
  });

  for (const kind of databaseKinds) {
    test(`ends with logging out, also for whoever has copied the cookie, and in every instance, on ${kind.name}`, async () => {
      await using database = await kind.create();
      const token = makeToken('ada', ['read']);
      let copied: string;
      let other: string;
      {
        await using admin = await serveAdministration(database, [token]);
        copied = await logIn(admin.url, token);
        other = await logIn(admin.url, token);
        await admin.desk.db.insertInto('endedSessions').values({ id: 'old', expiresAt: '2020' }).execute();
        const browser = browse(admin.url, copied);
        const csrf = await csrfOf(await browser.get('/admin/inbox'));

        const answer = await browser.post('/admin/logout', { csrf });

        assert.match(answer.headers.getSetCookie().join(), /^leads-session=; Path=\/; Max-Age=0;/);
        assert.equal(answer.headers.get('location'), '/admin/login');
        assert.equal((await browser.get('/admin/inbox')).status, 302);
        const ended = await admin.desk.db.selectFrom('endedSessions').select('id').execute();
        assert.equal(ended.length, 1);
      }
      await using admin = await serveAdministration(database, [token]);
      assert.equal((await browse(admin.url, copied).get('/admin/inbox')).status, 302);
      assert.equal((await browse(admin.url, other).get('/admin/inbox')).status, 200);
    });
  }

  test('leaves an entry in the audit log when a login fails, which says nothing of what was sent', async () => {
    await using database = await create();
    await using admin = await serveAdministration(database, [makeToken('ada', ['read'])]);
    const stranger = makeToken('eve', ['read']);
    await browse(admin.url).post('/admin/login', { token: stranger.token });
    await admin.call(stranger, 'GET', '/admin/api/leads');
    await admin.call(undefined, 'GET', '/admin/api/leads');
    const entries = await admin.desk.db
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

/** The status of a request to a host of this name, which `fetch` does not let be chosen. */
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
