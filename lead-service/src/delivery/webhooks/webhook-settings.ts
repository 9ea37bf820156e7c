import { parsed } from '@countersign/contracts/settings';
import ipaddr from 'ipaddr.js';
import { isWebhookFormat } from './webhook-body.ts';

/**
 * An endpoint: `crm=https://crm.example/hook`, or with a format `slack:chat=https://…`. No message quotes the address, because it may
 * contain a secret.
 */
export const webhook = parsed((text) => {
  const [, format, name, url] = /^(?:(\w+):)?([a-z][a-z\d-]*)=(.*)$/.exec(text) ?? [];
  if (name === undefined || url === undefined) return undefined;
  return format === undefined || isWebhookFormat(format) ? { name, url, format } : undefined;
}, 'must be a lower-case name and an address, such as crm=https://crm.example/hook or slack:chat=https://…').superRefine(
  ({ url }, context) => {
    const { protocol = '', username = '', password = '', hostname = '' } = URL.parse(url) ?? {};
    if (protocol !== 'https:' && protocol !== 'http:')
      context.addIssue('must have an address such as https://crm.example/hook.');
    if (username + password !== '')
      context.addIssue('must not contain a user or a password. The signature authenticates the sender.');
    if (protocol === 'http:' && !isLocal(hostname))
      context.addIssue('must begin with https. Plain HTTP is for this machine and closed networks.');
  },
);

/** A secret of an endpoint: `crm=whsec_…`. */
export const webhookSecret = parsed((text) => {
  const [, name, secret = ''] = /^([a-z][a-z\d-]*)=(.*)$/.exec(text) ?? [];
  const [, base64] = /^whsec_([A-Za-z\d+/]+=*)$/.exec(secret) ?? [];
  const { length } = Buffer.from(base64 ?? '', 'base64');
  return name !== undefined && length >= 24 && length <= 64 ? { name, secret } : undefined;
}, 'must be the name of an endpoint and a secret of 24 to 64 bytes, as crm=whsec_ and base64.');

/** Whether only this machine or a closed network can have this host: a private address, or a name without a dot. */
function isLocal(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.isValid(host)) return !host.includes('.');
  return ['loopback', 'private', 'uniqueLocal', 'linkLocal'].includes(ipaddr.process(host).range());
}
