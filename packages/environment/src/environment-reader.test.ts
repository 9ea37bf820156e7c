import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EnvironmentReader } from './environment-reader.ts';
import { withSettings } from './settings-tables.ts';
import { choice, list, port, text, url } from './variables.ts';

const variables = {
  PORT: port('Port to listen on', 3000),
  NAME: text('Name of the site'),
  HOSTS: list('Comma-separated names'),
  MODE: choice('`on` or `off`', ['on', 'off'], 'on'),
  STORE: url('Where it is kept', ['https:'], 'https://store.example'),
};

test('environment reader: absent variables have their defaults', () => {
  const reader = new EnvironmentReader({});
  const expected = { PORT: 3000, NAME: undefined, HOSTS: [], MODE: 'on', STORE: undefined };
  assert.deepEqual(reader.read(variables), expected);
  assert.deepEqual(reader.errors, []);
});

test('environment reader: all errors are collected, one for each variable', () => {
  const reader = new EnvironmentReader({ PORT: '', NAME: ' ', MODE: 'auto', STORE: 'http://user:hidden@a' });
  assert.deepEqual(reader.read(variables).PORT, 3000);
  assert.deepEqual(reader.errors, [
    'PORT must be a whole number from 0 to 65535, but is "".',
    'NAME is empty. Set it, or remove it.',
    'MODE must be on or off, but is "auto".',
    'STORE must look like https://store.example. Correct or remove it.',
  ]);
  assert.deepEqual([reader.isInvalid('PORT'), reader.isInvalid('HOSTS')], [true, false]);
});

test('settings tables: what stands between the comments is replaced', () => {
  const document = (tables: string) =>
    `# Site\n\n<!-- settings: written -->\n\n${tables}\n\n<!-- end of settings -->\n`;
  const { PORT, NAME } = variables;
  assert.equal(
    withSettings(document('old'), [{ heading: 'Network', variables: { PORT, NAME } }]),
    document(
      [
        '## Network',
        '',
        '| Variable | Default | Meaning           |',
        '| -------- | ------- | ----------------- |',
        '| `PORT`   | `3000`  | Port to listen on |',
        '| `NAME`   | none    | Name of the site  |',
      ].join('\n'),
    ),
  );
  assert.throws(() => withSettings('# Site', []), /has no place for settings/);
});
