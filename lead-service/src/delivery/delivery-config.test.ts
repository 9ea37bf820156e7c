import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EnvironmentReader } from '../environment-reader.ts';
import { readDeliveryConfig } from './delivery-config.ts';
import { webhookSecret } from './testing/webhook-receiver.ts';

function read(environment: Readonly<Record<string, string>>) {
  const reader = new EnvironmentReader(environment);
  const config = readDeliveryConfig(reader);
  return { config, faults: reader.faults };
}

const mail = { SMTP_URL: 'smtps://user:hidden@smtp.example', SALES_ADDRESS: 'sales@example.org' };

describe('the settings of delivery', () => {
  test('name several webhook endpoints, each with secrets of its own', () => {
    const { config, faults } = read({
      WEBHOOKS: 'crm=https://crm.example/hook?a=b, chat-room=https://chat.example/in',
      WEBHOOK_SECRETS_CRM: `${webhookSecret}, whsec_${'b2xk'.repeat(8)}`,
      WEBHOOK_SECRETS_CHAT_ROOM: webhookSecret,
    });
    assert.deepEqual(faults, []);
    assert.deepEqual(config.webhooks, {
      endpoints: [
        {
          name: 'crm',
          url: 'https://crm.example/hook?a=b',
          secrets: [webhookSecret, `whsec_${'b2xk'.repeat(8)}`],
        },
        { name: 'chat-room', url: 'https://chat.example/in', secrets: [webhookSecret] },
      ],
      allowPrivate: false,
    });
  });

  test('with a mail server ask for both addresses: nothing goes to an example', () => {
    const { faults } = read({ SMTP_URL: mail.SMTP_URL });
    assert.deepEqual(
      faults.map((fault) => fault.split('.')[0]),
      ['MAIL_FROM is missing', 'SALES_ADDRESS is missing'],
    );
    assert.deepEqual(read({ ...mail, MAIL_FROM: 'Site <site@example.org>' }).faults, []);
  });

  for (const from of ['somebody', 'a@example.org, b@example.org', 'Site <site>', 'a@b@example.org']) {
    test(`refuse "${from}" as a sender`, () => {
      const { faults } = read({ ...mail, MAIL_FROM: from });
      assert.match(faults.join(), /^MAIL_FROM must be one e-mail address/);
    });
  }

  for (const [address, fault] of [
    ['crm.example', /must look like https:/],
    ['ftp://crm.example', /must look like https:/],
    ['http://crm.example', /must begin with https/],
    ['https://10.0.0.1/', /is not public/],
    ['https://[::1]/', /is not public/],
    ['https://0x7f.1/', /is not public/],
    ['https://user:hidden@crm.example/', /must not hold a user or a password/],
  ] as const) {
    test(`refuse ${address} as an endpoint, without repeating it`, () => {
      const { faults } = read({ WEBHOOKS: `crm=${address}`, WEBHOOK_SECRETS_CRM: webhookSecret });
      assert.equal(faults.length, 1);
      assert.match(faults[0] ?? '', fault);
      assert.doesNotMatch(faults[0] ?? '', /hidden/);
    });
  }

  test('allow what is private when told to', () => {
    for (const address of ['http://crm.internal', 'https://10.0.0.1/', 'http://localhost:8080/']) {
      const environment = { WEBHOOKS: `crm=${address}`, WEBHOOK_SECRETS_CRM: webhookSecret };
      assert.deepEqual(read({ ...environment, WEBHOOK_ALLOW_PRIVATE: 'true' }).faults, []);
    }
  });

  test('name at most as many webhook endpoints as fit into one statement', () => {
    const names = Array.from({ length: 17 }, (_, index) => `crm-${index}`);
    const environment = (count: number) => ({
      WEBHOOKS: names
        .slice(0, count)
        .map((name) => `${name}=https://${name}.example`)
        .join(),
      ...Object.fromEntries(names.map((_, index) => [`WEBHOOK_SECRETS_CRM_${index}`, webhookSecret])),
    });
    assert.deepEqual(read(environment(16)).faults, []);
    assert.deepEqual(read(environment(17)).faults, ['WEBHOOKS names 17 endpoints. Name at most 16.']);
  });

  for (const [what, environment, fault] of [
    ['without a secret', { WEBHOOKS: 'crm=https://crm.example' }, /^WEBHOOK_SECRETS_CRM is missing/],
    ['without a name', { WEBHOOKS: 'https://crm.example' }, /^WEBHOOKS must be names and addresses/],
    [
      'with a secret that is too short',
      { WEBHOOKS: 'crm=https://crm.example', WEBHOOK_SECRETS_CRM: 'whsec_c2hvcnQ=' },
      /^WEBHOOK_SECRETS_CRM must hold secrets of 24 to 64 bytes/,
    ],
    [
      'with a name that stands there twice',
      { WEBHOOKS: 'crm=https://a.example,crm=https://b.example', WEBHOOK_SECRETS_CRM: webhookSecret },
      /^WEBHOOKS names "crm" twice/,
    ],
  ] as const) {
    test(`refuse an endpoint ${what}, without repeating a secret`, () => {
      const { faults } = read(environment);
      assert.match(faults.join('\n'), fault);
      assert.doesNotMatch(faults.join('\n'), /c2hvcnQ|MfKQ/);
    });
  }
});
