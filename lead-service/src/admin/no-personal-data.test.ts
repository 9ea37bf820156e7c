import assert from 'node:assert/strict';
import { logIn, makeToken, withTokens } from '../testing/hosted-service.ts';
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

    /** Posts a form or a JSON text, or gets a page. Returns the text of the answer. */
    async function send(path: string, headers: Record<string, string>, body?: string | URLSearchParams) {
      const address = path.startsWith('/admin') ? adminUrl : url;
      const type = typeof body === 'string' && { 'content-type': 'application/json' };
      const answer = await fetch(address + path, {
        method: body === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers: { ...type, 'x-forwarded-for': personAddress, origin: address, ...headers },
        ...(body && { body }),
      });
      const text = await answer.text();
      statuses.push(answer.status);
      if (answer.status >= 400) errors.push(text);
      return text;
    }
    const lead = JSON.stringify({ ...typed, attribution: { utmSource: 'spring-letter', page: '/?x' } });
    const key = { 'idempotency-key': '"katherine.johnson@example.org"' };

    const answer = await send('/api/contact', key, lead);
    await send('/api/contact', key, lead);
    await send('/api/contact', key, lead.replace('compute', 'draw'));
    await send('/api/demo', {}, lead);
    await send('/api/trial', {}, JSON.stringify({ ...typed, name: 'K', message: 'short' }));
    await send('/api/trial', {}, JSON.stringify({ ...typed, submissionType: typed.email }));
    await send('/api/contact', {}, `${lead.slice(0, -2)} oops`);
    await send('/api/contact', {}, `"${typed.email}"`.padEnd(100_000, 'x'));
    await send(`/api/${encodeURIComponent(typed.email)}`, {}, lead);
    await send('/api/contact', { 'idempotency-key': typed.email }, lead);
    await send('/api/contact', { origin: 'https://evil.example' }, lead);
    await send('/api/contact', {}, new URLSearchParams(typed));
    const { id } = JSON.parse(answer) as { id: string };

    await send('/admin/api/page-reports', { authorization: `Bearer ${token}x` });
    await send(`/admin/api/page-reports?since=${typed.email}`, { authorization: `Bearer ${token}` });
    await send('/admin/login', {}, new URLSearchParams({ token: typed.email }));
    const cookie = await logIn(adminUrl, token);
    await send(`/admin/inbox/${id}`, { cookie });
    await send(`/admin/inbox/${typed.email}`, { cookie });
    await send(`/admin/inbox?type=${typed.email}&after=${typed.name}`, { cookie });
    await send('/admin/inbox/search', { cookie }, new URLSearchParams({ text: typed.name }));

    const commands = [
      await runLeads(database.environment, ['list', typed.email]),
      await runLeads(database.environment, ['show', typed.email]),
      await runLeads(database.environment, ['erase', typed.email]),
      await runLeads(database.environment, ['erase', typed.email, '--yes']),
    ];
    const measured = await (await fetch(metrics)).text();
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
