import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { hostService, makeToken, withTokens } from '../testing/hosted-service.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { suspicious, storeLead } from '../testing/store-lead.ts';
import { databaseKinds, sqlite } from '../testing/test-databases.ts';

/** The parts of an answer that the tests check. */
interface Answer {
  readonly leads: readonly { readonly id: string; readonly email: string }[];
  readonly next: string | null;
  readonly deliveries: readonly object[];
  readonly byStatus: readonly object[];
}

for (const kind of databaseKinds) {
  describe(`admin API on ${kind.name}`, kind.options, () => {
    test('leads, dead letters and people: each operation answers and is audited', async (t) => {
      const all = makeToken('ada', ['read', 'write', 'export', 'erase']);
      await using admin = await hostService(kind, withTokens(all));
      const { database } = admin;
      const lead = await storeLead(database);
      const held = await storeLead(database, { email: 'charles@example.com', classification: suspicious });
      const json = async (method: string, path: string, body?: object) =>
        (await (await admin.call(all, method, `/admin/api${path}`, body)).json()) as Answer;

      await t.test('lists leads page by page, and no cache keeps them', async () => {
        const page = await admin.call(all, 'GET', '/admin/api/leads?limit=1');
        assert.equal(page.headers.get('cache-control'), 'no-store');
        assert.deepEqual(((await page.json()) as Answer).leads[0]?.email, sampleLead.email);
        const both = await json('GET', '/leads?quarantine=with&limit=1');
        assert.deepEqual([both.leads[0]?.id, both.next], [held.id, held.id]);
        const rest = await json('GET', `/leads?quarantine=with&after=${both.next}`);
        assert.deepEqual([rest.leads[0]?.id, rest.next], [lead.id, null]);
      });

      await t.test('finds a lead, and shows one with its deliveries', async () => {
        const found = await json('POST', '/leads/search', { text: 'charles@' });
        assert.deepEqual(found.leads[0]?.id, held.id);
        assert.equal((await json('GET', `/leads/${lead.id}`)).deliveries.length, 3);
      });

      await t.test('changes a status, and releases a lead from quarantine', async () => {
        assert.deepEqual(await json('PUT', `/leads/${lead.id}/status`, { status: 'qualified' }), {
          id: lead.id,
          status: 'qualified',
        });
        assert.deepEqual(await json('POST', `/leads/${held.id}/not-spam`), { id: held.id, deliveries: 3 });
      });

      await t.test('counts leads, and exports them as CSV', async () => {
        assert.equal((await json('GET', '/stats')).byStatus.length, 2);
        const csv = await admin.call(all, 'GET', '/admin/api/export?status=qualified');
        assert.match(csv.headers.get('content-disposition') ?? '', /attachment; filename="leads\.csv"/);
        assert.match(await csv.text(), new RegExp(`"${lead.id}"`));
      });

      await t.test('lists and replays dead letters', async () => {
        assert.deepEqual(await json('GET', '/dead-letters'), { deadLetters: [] });
        assert.deepEqual(await json('POST', '/dead-letters/replay', { all: true }), { replayed: 0 });
      });

      await t.test('exports and erases a person', async () => {
        const person = await json('POST', '/people/export', { email: 'ADA@example.com' });
        assert.deepEqual([person.leads.length, person.deliveries.length], [1, 3]);
        assert.deepEqual(await json('POST', '/people/erase', { email: 'ADA@example.com' }), {
          leads: 1,
          spooled: 0,
          related: [{ id: held.id, why: 'names the person' }],
        });
      });

      await t.test(
        'each operation has an audit entry with the token’s name, without personal data',
        async () => {
          const entries = await database.rows('auditEntries');
          assert.deepEqual(
            entries.map(({ action }) => action),
            [
              ...['lead.list', 'lead.list', 'lead.list', 'lead.search', 'lead.read', 'lead.set-status'],
              ...[
                'lead.not-spam',
                'lead.export',
                'lead.export-page',
                'delivery.list-dead',
                'delivery.replay',
              ],
              ...['person.export', 'lead.export', 'person.erase', 'lead.erase', 'lead.search'],
            ],
          );
          assert.deepEqual([...new Set(entries.map(({ actor }) => actor))], ['ada']);
          assert.doesNotMatch(
            JSON.stringify(entries.map(({ details }) => details)),
            /example|charles|Lovelace/,
          );
        },
      );
    });

    test('a person with an international domain is found, exported and erased', async () => {
      const all = makeToken('ada', ['read', 'write', 'export', 'erase']);
      await using admin = await hostService(kind, withTokens(all));
      const email = 'fay@xn--bcher-kva.de';
      const lead = await storeLead(admin.database, { email });
      const json = async (path: string, body: object) =>
        (await (await admin.call(all, 'POST', `/admin/api${path}`, body)).json()) as Answer;

      for (const text of ['fay@bücher.de', 'FAY@BÜCHER.de', '@bücher.de', 'bücher', email]) {
        assert.deepEqual((await json('/leads/search', { text })).leads[0]?.id, lead.id, text);
      }
      assert.equal((await json('/people/export', { email: 'fay@bücher.de' })).leads[0]?.id, lead.id);
      assert.deepEqual(await json('/people/erase', { email: 'fay@bücher.de' }), {
        leads: 1,
        spooled: 0,
        related: [],
      });
    });
  });
}

test('admin API: parameters with the character NUL are refused', async () => {
  const token = makeToken('ada', ['read', 'write', 'export', 'erase']);
  await using admin = await hostService(sqlite, withTokens(token));
  for (const [method, path, body] of [
    ['GET', '/leads/%00'],
    ['GET', '/leads?after=a%00'],
    ['POST', '/leads/search', { text: 'a\0b' }],
    ['POST', '/leads/search', { text: 'a', after: '\0' }],
    ['PUT', '/leads/%00/status', { status: 'won' }],
    ['POST', '/leads/a%00/not-spam'],
    ['GET', '/dead-letters?after=%00'],
    ['POST', '/dead-letters/replay', { ids: ['\0'] }],
    ['POST', '/people/export', { email: 'ada\0@example.com' }],
    ['POST', '/people/erase', { email: 'ada@example.com\0' }],
  ] as const) {
    const answer = await admin.call(token, method, `/admin/api${path}`, body);
    assert.equal(answer.status, 422, `${method} ${path} is ${answer.status}`);
    assert.match(
      await answer.text(),
      /^(id|after|text) must not contain the character NUL\.$|^email must be a complete e-mail address\.$/,
    );
  }
});

test('admin server: its address differs from the address for leads', async () => {
  const token = makeToken('ada', ['read']);
  await using admin = await hostService(sqlite, withTokens(token));
  const headers = { authorization: `Bearer ${token.token}` };
  for (const path of ['/admin', '/admin/inbox', '/admin/inbox.css', '/admin/login', '/admin/api/leads']) {
    assert.equal((await fetch(admin.url + path, { headers })).status, 404, path);
    assert.notEqual((await fetch(admin.adminUrl + path, { headers })).status, 404, path);
  }
  for (const path of ['/healthz', '/readyz', '/api/openapi.json']) {
    assert.equal((await fetch(admin.url + path)).status, 200, path);
    assert.equal((await fetch(admin.adminUrl + path)).status, 404, path);
  }
});

test('admin server: does not start without tokens', async () => {
  await using service = await hostService(sqlite, { ADMIN_PORT: '1' });
  const { url } = service;
  for (const path of ['/admin', '/admin/inbox', '/admin/login', '/admin/api/leads']) {
    assert.equal((await fetch(url + path)).status, 404);
  }
  assert.doesNotMatch(service.lines.join('\n'), /inbox/);
});

test('scopes: a token allows only the operations of its scopes', async () => {
  const tokens = {
    read: makeToken('reader', ['read']),
    write: makeToken('writer', ['write']),
    export: makeToken('exporter', ['export']),
    erase: makeToken('eraser', ['erase']),
  };
  await using admin = await hostService(sqlite, withTokens(...Object.values(tokens)));
  for (const [scope, method, path, body] of [
    ['read', 'GET', '/leads'],
    ['read', 'POST', '/leads/search', { text: 'x' }],
    ['read', 'GET', '/leads/x'],
    ['read', 'GET', '/stats'],
    ['read', 'GET', '/dead-letters'],
    ['write', 'PUT', '/leads/x/status', { status: 'won' }],
    ['write', 'POST', '/leads/x/not-spam'],
    ['write', 'POST', '/dead-letters/replay', { all: true }],
    ['export', 'GET', '/export'],
    ['erase', 'POST', '/people/export', { email: sampleLead.email }],
    ['erase', 'POST', '/people/erase', { email: sampleLead.email }],
  ] as const) {
    for (const [name, token] of Object.entries(tokens)) {
      const { status } = await admin.call(token, method, `/admin/api${path}`, body);
      assert.equal(status === 403, name !== scope, `${name}: ${method} ${path} is ${status}`);
    }
  }
});

test('tokens: an unknown one gets 401, a rotated one works until its removal', async () => {
  const [old, next] = [makeToken('ada', ['read']), makeToken('ada-2027', ['read'])];
  const statuses = async (tokens: (typeof old)[]) => {
    await using admin = await hostService(sqlite, withTokens(...tokens));
    const answers = [old, next, undefined].map((token) => admin.call(token, 'GET', '/admin/api/leads'));
    return (await Promise.all(answers)).map((answer) => {
      assert.equal(answer.headers.get('www-authenticate'), answer.status === 401 ? 'Bearer' : null);
      return answer.status;
    });
  };
  assert.deepEqual(await statuses([old]), [200, 401, 401]);
  assert.deepEqual(await statuses([old, next]), [200, 200, 401]);
  assert.deepEqual(await statuses([next]), [401, 200, 401]);
});

for (const format of ['csv', 'jsonl']) {
  test(`admin API: an export as ${format} that fails is an error of the service`, async () => {
    const token = makeToken('ada', ['export']);
    await using admin = await hostService(sqlite, withTokens(token));
    for (const id of ['lead-1', 'lead-2']) await storeLead(admin.database, { id });
    const ask = () => admin.call(token, 'GET', `/admin/api/export?format=${format}`);

    await admin.database.execute("update leads set attribution = '{' where id = 'lead-2'");
    await assert.rejects(ask().then((answer) => answer.text()));
    await admin.line('response not delivered');
    assert.doesNotMatch(admin.lines.join('\n'), /client disconnected/);

    await admin.database.execute("update leads set attribution = '{' where id = 'lead-1'");
    const answer = await ask();
    assert.equal(answer.status, 500);
    assert.match(await answer.text(), /^Something went wrong on our side/);
    assert.equal(answer.headers.get('content-disposition'), null);
  });
}

test('admin API: an invalid request gets plain text or a problem document', async () => {
  const token = makeToken('ada', ['read', 'write', 'export', 'erase']);
  await using admin = await hostService(sqlite, withTokens(token));
  for (const [method, path, body, status, message] of [
    ['GET', '/leads?limit=0', undefined, 422, 'limit must be a whole number from 1 to 500.'],
    ['GET', '/leads?type=other', undefined, 422, 'type must be trial, demo, contact.'],
    ['GET', '/export?format=xls', undefined, 422, 'format must be csv, jsonl.'],
    ['POST', '/leads/search', { text: ' ' }, 422, 'Enter a search text.'],
    ['POST', '/people/erase', { email: 'all' }, 422, 'email must be a complete e-mail address.'],
    ['GET', '/leads/none', undefined, 404, 'There is no lead with this id. Look it up in the list.'],
  ] as const) {
    const answer = await admin.call(token, method, `/admin/api${path}`, body);
    assert.deepEqual([answer.status, await answer.text()], [status, message]);
  }
  // Without Content-Length, unlike fetch.
  const socket = connect(Number(new URL(admin.adminUrl).port), '127.0.0.1').end(
    'POST /admin/api/people/erase HTTP/1.1\r\nHost: admin\r\nConnection: close\r\n' +
      `Authorization: Bearer ${token.token}\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n`,
  );
  assert.match(await text(socket), /^HTTP\/1\.1 400 [^]*The request body must be a JSON object\.$/);
  const problem = await fetch(`${admin.adminUrl}/admin/api/leads`, {
    headers: { accept: 'application/problem+json' },
  });
  assert.equal(
    ((await problem.json()) as { type: string }).type,
    'urn:problem-type:lead-service:unauthorized',
  );
});
