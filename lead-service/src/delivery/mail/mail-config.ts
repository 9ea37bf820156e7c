import { brand } from '@countersign/contracts/brand';
import * as z from 'zod/mini';
import addressparser from 'nodemailer/lib/addressparser';
import type { EnvironmentReader } from '../../environment-reader.ts';

export interface MailConfig {
  /** Without it, mail is kept as files. */
  readonly smtpUrl: string | undefined;
  /** Sender of all mail, as `name <address>` or as an address alone. */
  readonly from: string;
  /** Where mail about new leads goes. */
  readonly salesAddress: string;
}

const domain = `${brand.toLowerCase()}.example`;

/**
 * `SMTP_URL`: server that mail goes to. `MAIL_FROM`: its sender. `SALES_ADDRESS`: who is told of leads. Both addresses
 * have a default only while mail is kept as files: nothing is sent to a stranger by mistake.
 */
export function readMailConfig(reader: EnvironmentReader): MailConfig {
  const smtpUrl = reader.url('SMTP_URL', ['smtp:', 'smtps:'], 'smtps://user:password@host:465')?.href;
  const isSent = smtpUrl !== undefined;
  return {
    smtpUrl,
    from: readAddress(reader, 'MAIL_FROM', `${brand} <hello@${domain}>`, isSent),
    salesAddress: readAddress(reader, 'SALES_ADDRESS', `sales@${domain}`, isSent),
  };
}

function readAddress(reader: EnvironmentReader, name: string, initial: string, isNeeded: boolean): string {
  const value = reader.text(name);
  if (value === undefined) {
    if (isNeeded) reader.fault(`${name} is missing. With SMTP_URL it must be set, such as "${initial}".`);
    return initial;
  }
  if (bareAddress(value) === undefined) {
    reader.fault(`${name} must be one e-mail address, such as "${initial}".`);
  }
  return value;
}

const email = z.email();

/** The address in `name <address>`, if there is exactly one. */
export function bareAddress(value: string): string | undefined {
  const [mailbox, ...others] = addressparser(value, { flatten: true });
  const address = mailbox?.address;
  return others.length === 0 && email.safeParse(address).success ? address : undefined;
}
