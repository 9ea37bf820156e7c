import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EnvironmentReader } from '@countersign/environment/environment-reader';
import { webhookSecret } from '../testing/webhook-receiver.ts';
import { readDeliveryConfig } from './delivery-config.ts';

function read(environment: Readonly<Record<string, string>>) {
  const reader = new EnvironmentReader(environment);
  const config = readDeliveryConfig(reader);
  return { config, errors: reader.errors };
}

const mail = { SMTP_URL: 'smtps://user:hidden@smtp.example', SALES_ADDRESS: 'sales@example.org' };

describe('delivery settings', () => {
  test('WEBHOOKS names several endpoints with separate secrets', () => {
    const { config, errors } = read({
      WEBHOOKS: 'crm=https://crm.example/hook?a=b, chat-room=https://chat.example/in',
      WEBHOOK_SECRETS_CRM: `${webhookSecret}, whsec_${'b2xk'.repeat(8)}`,
      WEBHOOK_SECRETS_CHAT_ROOM: webhookSecret,
    });
    assert.deepEqual(errors, []);
    assert.deepEqual(config.webhooks, [
      {
        name: 'crm',
        url: 'https://crm.example/hook?a=b',
        secrets: [webhookSecret, `whsec_${'b2xk'.repeat(8)}`],
      },
      { name: 'chat-room', url: 'https://chat.example/in', secrets: [webhookSecret] },
    ]);
  });

  test('SMTP_URL requires both addresses, so that no mail reaches the examples', () => {
    const { errors } = read({ SMTP_URL: mail.SMTP_URL });
    assert.deepEqual(
      errors.map((error) => error.split('.')[0]),
      ['MAIL_FROM is missing', 'SALES_ADDRESS is missing'],
    );
    assert.deepEqual(read({ ...mail, MAIL_FROM: 'Site <site@example.org>' }).errors, []);
  });

  for (const [address, plain, requireTls] of [
    ['smtp://user:hidden@mail.example:587', undefined, true],
    ['smtp://user:hidden@localhost.mail.example', undefined, true],
    ['smtp://10.0.0.1', undefined, true],
    ['smtp://mail.internal', 'false', true],
    ['smtp://mail.internal', 'true', false],
    ['smtp://localhost:25', undefined, false],
    ['smtp://127.0.0.9', undefined, false],
    ['smtp://[::1]:2525', undefined, false],
  ] as const) {
    const setting = plain === undefined ? {} : { SMTP_ALLOW_PLAIN: plain };
    test(`SMTP_URL ${address} ${requireTls ? 'requires' : 'does not require'} TLS, ${JSON.stringify(setting)}`, () => {
      const { config, errors } = read({ ...mail, MAIL_FROM: 'a@example.org', SMTP_URL: address, ...setting });
      assert.deepEqual(errors, []);
      assert.equal(config.mail.requireTls, requireTls);
    });
  }

  for (const from of ['somebody', 'a@example.org, b@example.org', 'Site <site>', 'a@b@example.org']) {
    test(`MAIL_FROM rejects "${from}"`, () => {
      const { errors } = read({ ...mail, MAIL_FROM: from });
      assert.match(errors.join(), /^MAIL_FROM must be one e-mail address/);
    });
  }

  for (const [address, error] of [
    ['crm.example', /must look like https:/],
    ['ftp://crm.example', /must look like https:/],
    ['http://crm.example', /must begin with https/],
    ['http://8.8.8.8/', /must begin with https/],
    ['https://user:hidden@crm.example/', /must not contain a user or a password/],
  ] as const) {
    test(`WEBHOOKS rejects ${address} without quoting it`, () => {
      const { errors } = read({ WEBHOOKS: `crm=${address}`, WEBHOOK_SECRETS_CRM: webhookSecret });
      assert.equal(errors.length, 1);
      assert.match(errors[0] ?? '', error);
      assert.doesNotMatch(errors[0] ?? '', /hidden/);
    });
  }

  test('WEBHOOKS accepts plain HTTP on this machine and on closed networks', () => {
    for (const address of [
      'http://crm:8080/',
      'http://10.0.0.1/',
      'http://localhost:8080/',
      'http://[::1]/',
    ]) {
      const environment = { WEBHOOKS: `crm=${address}`, WEBHOOK_SECRETS_CRM: webhookSecret };
      assert.deepEqual(read(environment).errors, []);
    }
  });

  test('WEBHOOKS accepts no more endpoints than fit into one statement', () => {
    const names = Array.from({ length: 17 }, (_, index) => `crm-${index}`);
    const environment = (count: number) => ({
      WEBHOOKS: names
        .slice(0, count)
        .map((name) => `${name}=https://${name}.example`)
        .join(),
      ...Object.fromEntries(names.map((_, index) => [`WEBHOOK_SECRETS_CRM_${index}`, webhookSecret])),
    });
    assert.deepEqual(read(environment(16)).errors, []);
    assert.deepEqual(read(environment(17)).errors, ['WEBHOOKS names 17 endpoints. Name at most 16.']);
  });

  for (const [what, environment, error] of [
    ['without a secret', { WEBHOOKS: 'crm=https://crm.example' }, /^WEBHOOK_SECRETS_CRM is missing/],
    ['without a name', { WEBHOOKS: 'https://crm.example' }, /^WEBHOOKS must be names and addresses/],
    [
      'with a secret that is too short',
      { WEBHOOKS: 'crm=https://crm.example', WEBHOOK_SECRETS_CRM: 'whsec_c2hvcnQ=' },
      /^WEBHOOK_SECRETS_CRM must contain secrets of 24 to 64 bytes/,
    ],
    [
      'with a duplicate name',
      { WEBHOOKS: 'crm=https://a.example,crm=https://b.example', WEBHOOK_SECRETS_CRM: webhookSecret },
      /^WEBHOOKS names "crm" twice/,
    ],
  ] as const) {
    test(`WEBHOOKS rejects an endpoint ${what}, without quoting a secret`, () => {
      const { errors } = read(environment);
      assert.match(errors.join('\n'), error);
      assert.doesNotMatch(errors.join('\n'), /c2hvcnQ|MfKQ/);
    });
  }
});
