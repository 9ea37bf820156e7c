import assert from 'node:assert/strict';
import { cookiesOf, makeToken, withTokens } from '../testing/hosted-service.ts';
import { startService, runLeads } from '../testing/service-process.ts';
import { onEachDatabase } from '../testing/test-databases.ts';

const personAddress = '203.0.113.77';
const typed = {
  name: 'Katherine Johnson',
  email: 'katherine.johnson@example.org',
  company: 'Orbital Mechanics',
  message: 'Please compute this trajectory for us.',
};
const secrets = [...Object.values(typed), personAddress, 'trajectory', 'Katherine', 'spring-letter'];

onEachDatabase('log, metrics and errors', (test) => {
  test('log, metrics and errors contain no personal data from any interface', async (database) => {
    const made = makeToken('ada', ['read', 'write', 'export', 'reports']);
    const { token } = made;
    await using service = startService({
      ...database.environment,
      ...{ LOG_FORMAT: 'json', METRICS_PORT: '0', TRUSTED_PROXY_HOPS: '1' },
      ...withTokens(made),
    });
    const url = await service.url();
    const adminUrl = await service.adminUrl();
    const metrics = /http:[^"]+\/metrics/.exec(await service.line('metrics on'))?.[0] ?? '';
    const errors: string[] = [];
    const statuses: number[] = [];

    async function send(path: string, body: string, headers: Record<string, string> = {}, method = 'POST') {
      const address = path.startsWith('/admin') ? adminUrl : url;
      const answer = await fetch(address + path, {
        method,
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': personAddress,
          origin: address,
          ...headers,
        },
        ...(method !== 'GET' && { body }),
      });
      const text = await answer.text();
      statuses.push(answer.status);
      if (answer.status >= 400) errors.push(text);
      return { answer, text };
    }
    const lead = JSON.stringify({ ...typed, attribution: { utmSource: 'spring-letter', page: '/?x' } });
    const key = { 'idempotency-key': '"katherine.johnson@example.org"' };
    const authenticate = { authorization: `Bearer ${token}` };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };

    const { text } = await send('/api/contact', lead, key);
    await send('/api/contact', lead, key);
    await send('/api/contact', lead.replace('compute', 'draw'), key);
    await send('/api/demo', lead);
    await send('/api/trial', JSON.stringify({ ...typed, name: 'K', message: 'short' }));
    await send('/api/trial', JSON.stringify({ ...typed, submissionType: typed.email }));
    await send('/api/contact', `${lead.slice(0, -2)} oops`);
    await send('/api/contact', `"${typed.email}"`.padEnd(70_000, 'x'));
    await send(`/api/${encodeURIComponent(typed.email)}`, lead);
    await send('/api/contact', lead, { 'idempotency-key': typed.email });
    await send('/api/contact', lead, { origin: 'https://evil.example' });
    await send('/api/contact', new URLSearchParams(typed).toString(), form);
    const { id } = JSON.parse(text) as { id: string };

    await send('/admin/api/page-reports', '', { authorization: `Bearer ${token}x` }, 'GET');
    await send(`/admin/api/page-reports?since=${typed.email}`, '', authenticate, 'GET');
    await send('/admin/login', new URLSearchParams({ token: typed.email }).toString(), form);
    const login = await send('/admin/login', new URLSearchParams({ token }).toString(), form);
    const cookie = cookiesOf(login.answer);
    await send(`/admin/inbox/${id}`, '', { cookie }, 'GET');
    await send(`/admin/inbox/${typed.email}`, '', { cookie }, 'GET');
    await send(`/admin/inbox?type=${typed.email}&after=${typed.name}`, '', { cookie }, 'GET');
    await send('/admin/inbox/search', new URLSearchParams({ text: typed.name }).toString(), {
      ...form,
      cookie,
    });

    const commands = [
      await runLeads(database.environment, ['list', typed.email]),
      await runLeads(database.environment, ['show', typed.email]),
      await runLeads(database.environment, ['erase', typed.email]),
      await runLeads(database.environment, ['erase', typed.email, '--yes']),
    ];
    const measured = metrics === '' ? '' : await (await fetch(metrics)).text();
    service.child.kill('SIGTERM');
    await service.exit;

    assert.deepEqual([...new Set(statuses)].sort(), [200, 201, 303, 400, 401, 403, 404, 413, 422]);
    assert.match(measured, /^# HELP/);
    const written = {
      log: [...service.stdout, ...service.stderr].join('\n'),
      errors: errors.join('\n'),
      commands: commands.map(({ stderr }) => stderr).join('\n'),
      metrics: measured,
    };
    assert.match(written.log, /"lead stored"/);
    for (const [where, what] of Object.entries(written)) {
      for (const secret of [...secrets, token]) {
        assert.ok(
          !what.toLowerCase().includes(secret.toLowerCase()),
          `"${secret}" is in the ${where}:\n${what}`,
        );
      }
    }
  });
});
