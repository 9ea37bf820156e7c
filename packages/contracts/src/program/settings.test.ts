import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { host, describeIssues, port, text, withSettings } from './settings.ts';

const settings = z.object({
  PORT: port().default(3000).describe('Port to listen on'),
  HOST: host().default('127.0.0.1').describe('Address to listen on'),
  NAME: text().optional().meta({ description: 'Name of the site', shown: 'its host' }),
});

test('settings: absent variables have their defaults, and all errors are found at once', () => {
  assert.deepEqual(settings.parse({}), { PORT: 3000, HOST: '127.0.0.1' });
  const { error } = settings.safeParse({ PORT: '', HOST: 'a b', NAME: ' ' });
  assert.equal(
    error && describeIssues(error),
    'PORT must be a whole number from 0 to 65535, but is "". HOST must be an IP address or a host name such as 127.0.0.1, but is "a b". NAME is empty. Set it, or remove it.',
  );
});

for (const blocked of ['22', '6000', '10080']) {
  test(`settings: port ${blocked}, which fetch refuses, is refused`, async () => {
    await assert.rejects(fetch(`http://127.0.0.1:${blocked}`), ({ cause }) => /bad port/.test(String(cause)));
    const { error } = settings.safeParse({ PORT: blocked });
    const message = `PORT must be another port than ${blocked}, which browsers refuse to open.`;
    assert.equal(error && describeIssues(error), message);
  });
}

test('settings: the list between the comments is replaced', () => {
  const document = (list: string) =>
    `# Site\n\n<!-- settings: written -->\n\n${list}\n\n<!-- end of settings -->\n`;
  const list =
    '- `PORT` (`3000`): Port to listen on\n- `HOST` (`127.0.0.1`): Address to listen on\n- `NAME` (its host): Name of the site';
  assert.equal(withSettings(document('old'), settings), document(list));
  assert.throws(() => withSettings('# Site', settings), /has no place for settings/);
});
