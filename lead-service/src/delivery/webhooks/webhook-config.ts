import type { EnvironmentReader } from '../../environment-reader.ts';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import { webhookKey } from './sign-webhook.ts';

export interface WebhookEndpoint {
  /** Names it in the outbox and in the environment. */
  readonly name: string;
  readonly url: string;
  /** Each as `whsec_` and base64. All of them sign. */
  readonly secrets: readonly string[];
}

export interface WebhookConfig {
  readonly endpoints: readonly WebhookEndpoint[];
  /** Lets webhooks go to addresses that are not public, and by http. */
  readonly allowPrivate: boolean;
}

/** All deliveries of a full group of leads must fit into one statement. */
const mostEndpoints = 16;

const example = 'WEBHOOKS=crm=https://crm.example/hook';

/**
 * `WEBHOOKS`: endpoints as `name=address`, with commas between them. `WEBHOOK_SECRETS_<NAME>`: the secrets of each, with
 * commas between them. `WEBHOOK_ALLOW_PRIVATE`: `true` or `false`.
 */
export function readWebhookConfig(reader: EnvironmentReader): WebhookConfig {
  const allowPrivate = reader.choice('WEBHOOK_ALLOW_PRIVATE', ['true', 'false'], 'false') === 'true';
  const endpoints: WebhookEndpoint[] = [];
  for (const entry of reader.list('WEBHOOKS')) {
    const [, name, address] = /^([a-z][a-z\d-]*)=(.*)$/.exec(entry) ?? [];
    if (name === undefined || address === undefined) {
      reader.fault(`WEBHOOKS must be names and addresses, such as ${example}; names are in small letters.`);
      continue;
    }
    if (endpoints.some((other) => other.name === name)) {
      reader.fault(`WEBHOOKS names "${name}" twice. Give each endpoint a name of its own.`);
    }
    const fault = addressFault(address, allowPrivate);
    if (fault !== undefined) reader.fault(`WEBHOOKS: the address of "${name}" ${fault}`);
    endpoints.push({ name, url: address, secrets: readSecrets(reader, name) });
  }
  if (endpoints.length > mostEndpoints) {
    reader.fault(`WEBHOOKS names ${endpoints.length} endpoints. Name at most ${mostEndpoints}.`);
  }
  return { endpoints, allowPrivate };
}

/** Never quotes the address: it may hold a secret. */
function addressFault(address: string, allowPrivate: boolean): string | undefined {
  const url = URL.parse(address);
  if (url === null || !['https:', 'http:'].includes(url.protocol)) {
    return `must look like ${example.slice('WEBHOOKS=crm='.length)}.`;
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not hold a user or a password. The signature says who sends.';
  }
  if (allowPrivate) return undefined;
  if (url.protocol === 'http:') {
    return 'must begin with https. On a closed network, set WEBHOOK_ALLOW_PRIVATE=true.';
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && !isPublicAddress(host)) {
    return 'is not public. On a closed network, set WEBHOOK_ALLOW_PRIVATE=true.';
  }
  return undefined;
}

const fewestBytes = 24;
const mostBytes = 64;

function readSecrets(reader: EnvironmentReader, name: string): readonly string[] {
  const variable = `WEBHOOK_SECRETS_${name.toUpperCase().replaceAll('-', '_')}`;
  const secrets = reader.list(variable);
  const isWellFormed = (secret: string) => {
    const bytes = webhookKey(secret).length;
    return /^whsec_[A-Za-z\d+/]+=*$/.test(secret) && bytes >= fewestBytes && bytes <= mostBytes;
  };
  if (secrets.length === 0) {
    reader.fault(`${variable} is missing. Set it to "whsec_" and the output of "openssl rand -base64 32".`);
  } else if (!secrets.every(isWellFormed)) {
    reader.fault(
      `${variable} must hold secrets of ${fewestBytes} to ${mostBytes} bytes as "whsec_" and base64.`,
    );
  }
  return secrets;
}
