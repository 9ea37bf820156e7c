import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostService, makeToken, withTokens, type HostedService } from '../testing/hosted-service.ts';
import { databaseKinds, sqlite } from '../testing/test-databases.ts';

const attempts = 200;

/** Action and details of all audit entries. */
async function auditOf({ database }: HostedService): Promise<string[]> {
  const entries = await database.rows('auditEntries');
  return entries.map(({ actor, action, details }) => `${actor} ${action} ${details}`);
}

for (const kind of databaseKinds) {
  test(
    `failed logins: a flood from one address is one audit entry with a count, on ${kind.name}`,
    kind.options,
    async () => {
      const token = makeToken('ada', ['read']);
      await using admin = await hostService(kind, withTokens(token));
      const answers = await Promise.all(
        Array.from({ length: attempts }, () =>
          admin.call(makeToken('eve', ['read']), 'GET', '/admin/api/leads'),
        ),
      );

      const statuses = Map.groupBy(answers, ({ status }) => status);
      assert.deepEqual([...statuses.keys()].sort(), [401, 429]);
      assert.equal(statuses.get(401)?.length, 10);
      const retryAfter = Number(statuses.get(429)?.[0]?.headers.get('retry-after'));
      assert(retryAfter > 0 && retryAfter <= 600, String(retryAfter));
      assert.equal((await admin.call(token, 'GET', '/admin/api/leads')).status, 429);
      assert.deepEqual(await auditOf(admin), ['(unknown) api.login-failed {}']);

      await admin.stop();
      assert.deepEqual(await auditOf(admin), [`(unknown) api.login-failed {"times":${attempts + 1}}`]);
    },
  );
}

function knock(admin: HostedService, address: string, token = makeToken('eve', ['read'])): Promise<Response> {
  return fetch(`${admin.adminUrl}/admin/api/leads`, {
    headers: { authorization: `Bearer ${token.token}`, 'x-forwarded-for': address },
  });
}

test('failed logins: another address behind a trusted proxy is not refused', async () => {
  const token = makeToken('ada', ['read']);
  await using admin = await hostService(sqlite, { ...withTokens(token), ADMIN_TRUSTED_PROXY_HOPS: '1' });
  for (let attempt = 0; attempt < 11; attempt += 1) await knock(admin, '203.0.113.1');
  assert.equal((await knock(admin, '203.0.113.1', token)).status, 429);
  assert.equal((await knock(admin, '203.0.113.2', token)).status, 200);
});

test('failed logins: a forged X-Forwarded-For changes nothing', async () => {
  await using admin = await hostService(sqlite, {
    ...withTokens(makeToken('ada', ['read'])),
    TRUSTED_PROXY_HOPS: '1',
  });
  for (let attempt = 0; attempt < 11; attempt += 1) await knock(admin, `203.0.113.${attempt}`);
  assert.equal((await knock(admin, '198.51.100.1')).status, 429);
  assert.deepEqual(await auditOf(admin), ['(unknown) api.login-failed {}']);
});

test('failed logins: many addresses make a limited number of audit entries', async () => {
  await using admin = await hostService(sqlite, {
    ...withTokens(makeToken('ada', ['read'])),
    ADMIN_TRUSTED_PROXY_HOPS: '1',
  });
  const knocks = Array.from({ length: attempts }, (_, index) =>
    knock(admin, `2001:db8::${index.toString(16)}`),
  );
  for (const { status } of await Promise.all(knocks)) assert.equal(status, 401);
  assert.equal((await auditOf(admin)).length, 61);
});

test('failed logins: the login page of the inbox refuses too', async () => {
  const token = makeToken('ada', ['read']);
  await using admin = await hostService(sqlite, withTokens(token));
  const logIn = (sent: string) =>
    fetch(`${admin.adminUrl}/admin/login`, {
      method: 'POST',
      headers: { origin: admin.adminUrl },
      body: new URLSearchParams({ token: sent }),
      redirect: 'manual',
    });
  for (let attempt = 0; attempt < 10; attempt += 1) assert.equal((await logIn('leads_wrong')).status, 401);
  const refused = await logIn(token.token);
  assert.equal(refused.status, 429);
  assert.match(
    await refused.text(),
    /Too many logins from your address have failed\. Check the token, and try again later\./,
  );
  assert.deepEqual(await auditOf(admin), ['(unknown) inbox.login-failed {}']);
});
