import { createRequire } from 'node:module';
import * as z from 'zod/mini';

// `require`, because some tools cannot parse the import attribute that Node needs for JSON.
const require = createRequire(import.meta.url);
const list = z.array(z.string());
const domains = new Set([
  ...list.parse(require('disposable-email-domains')),
  ...list.parse(require('disposable-email-domains/wildcard.json')),
]);

/** Whether the address belongs to a disposable e-mail provider, including its subdomains. */
export function isDisposable(email: string): boolean {
  let domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  while (domain !== '') {
    if (domains.has(domain)) return true;
    const dot = domain.indexOf('.');
    domain = dot < 0 ? '' : domain.slice(dot + 1);
  }
  return false;
}
