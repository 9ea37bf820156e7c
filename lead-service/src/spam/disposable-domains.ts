import { createRequire } from 'node:module';
import * as z from 'zod/mini';

// Node imports JSON only with an attribute that not all of our tools read.
const require = createRequire(import.meta.url);
const list = z.array(z.string());
const domains = new Set([
  ...list.parse(require('disposable-email-domains')),
  ...list.parse(require('disposable-email-domains/wildcard.json')),
]);

/** Whether mail to this address goes to a mailbox that is thrown away after minutes. Sub-domains count. */
export function isDisposable(email: string): boolean {
  let domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  while (domain !== '') {
    if (domains.has(domain)) return true;
    const dot = domain.indexOf('.');
    domain = dot < 0 ? '' : domain.slice(dot + 1);
  }
  return false;
}
