import type { EnvironmentReader } from '@countersign/environment/environment-reader';
import { list } from '@countersign/environment/variables';
import ipaddr from 'ipaddr.js';

export interface WebhookEndpoint {
  /** Identifies the endpoint in the outbox and in the environment. */
  readonly name: string;
  readonly url: string;
  /** Each as `whsec_` and base64. All of them sign. */
  readonly secrets: readonly string[];
}

/** Limited, because one statement inserts all deliveries of a full batch of leads. */
const maxEndpoints = 16;

const example = 'WEBHOOKS=crm=https://crm.example/hook';

const minBytes = 24;
const maxBytes = 64;

const secretsVariable = list(
  `Required for each name: \`whsec_\` and base64 of ${minBytes} to ${maxBytes} bytes. For a key rotation, set several, separated by commas: each of them signs`,
);

export const webhookVariables = {
  WEBHOOKS: list(
    `\`crm=https://crm.example/hook,chat=https://…\`: at most ${maxEndpoints} lower-case names with their URLs`,
  ),
  'WEBHOOK_SECRETS_<NAME>': secretsVariable,
};

export function readWebhookConfig(reader: EnvironmentReader): readonly WebhookEndpoint[] {
  const { WEBHOOKS } = reader.read(webhookVariables);
  const endpoints: WebhookEndpoint[] = [];
  for (const entry of WEBHOOKS) {
    const [, name, address] = /^([a-z][a-z\d-]*)=(.*)$/.exec(entry) ?? [];
    if (name === undefined || address === undefined) {
      reader.reject(`WEBHOOKS must be names and addresses, such as ${example}; names are lower case.`);
      continue;
    }
    if (endpoints.some((other) => other.name === name)) {
      reader.reject(`WEBHOOKS names "${name}" twice. Give each endpoint a name of its own.`);
    }
    const error = addressError(address);
    if (error !== undefined) reader.reject(`WEBHOOKS: the address of "${name}" ${error}`);
    endpoints.push({ name, url: address, secrets: readSecrets(reader, name) });
  }
  if (endpoints.length > maxEndpoints) {
    reader.reject(`WEBHOOKS names ${endpoints.length} endpoints. Name at most ${maxEndpoints}.`);
  }
  return endpoints;
}

/** Never quotes the address, because it may contain a secret. */
function addressError(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || !['https:', 'http:'].includes(url.protocol)) {
    return `must look like ${example.slice('WEBHOOKS=crm='.length)}.`;
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not contain a user or a password. The signature authenticates the sender.';
  }
  if (url.protocol === 'http:' && !isLocal(url.hostname)) {
    return 'must begin with https. Plain HTTP is for this machine and closed networks.';
  }
  return undefined;
}

/** Whether only this machine or a closed network can have this host: a private address, or a name without a dot. */
function isLocal(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.isValid(host)) return !host.includes('.');
  return ['loopback', 'private', 'uniqueLocal', 'linkLocal'].includes(ipaddr.process(host).range());
}

function readSecrets(reader: EnvironmentReader, name: string): readonly string[] {
  const variable = `WEBHOOK_SECRETS_${name.toUpperCase().replaceAll('-', '_')}`;
  const { [variable]: secrets = [] } = reader.read({ [variable]: secretsVariable });
  const isWellFormed = (secret: string) => {
    const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64').length;
    return /^whsec_[A-Za-z\d+/]+=*$/.test(secret) && bytes >= minBytes && bytes <= maxBytes;
  };
  if (secrets.length === 0) {
    reader.reject(`${variable} is missing. Set it to "whsec_" and the output of "openssl rand -base64 32".`);
  } else if (!secrets.every(isWellFormed)) {
    reader.reject(
      `${variable} must contain secrets of ${minBytes} to ${maxBytes} bytes as "whsec_" and base64.`,
    );
  }
  return secrets;
}
