import { brand } from '@countersign/contracts/brand';
import type { EnvironmentReader } from '@countersign/environment/environment-reader';
import { choice, text, url } from '@countersign/environment/variables';
import ipaddr from 'ipaddr.js';
import * as z from 'zod/mini';
import addressparser from 'nodemailer/lib/addressparser';

export interface MailConfig {
  /** Without it, mail is written to files. */
  readonly smtpUrl: string | undefined;
  /** Whether a connection that begins without TLS must upgrade with STARTTLS before it sends anything. */
  readonly requireTls: boolean;
  /** Sender of all mail, as `name <address>` or as an address alone. */
  readonly from: string;
  readonly salesAddress: string;
}

const domain = `${brand.toLowerCase()}.example`;

const exampleSender = `${brand} <hello@${domain}>`;
const exampleSales = `sales@${domain}`;

export const mailVariables = {
  SMTP_URL: url(
    '`smtps://user:password@host:465`, or `smtp://…:587` with STARTTLS, which is required unless the host is loopback. Without it, the service writes mail as `.eml` files to `DATA_DIR/mails`',
    ['smtp:', 'smtps:'],
    'smtps://user:password@host:465',
  ),
  SMTP_ALLOW_PLAIN: choice(
    '`true` permits `smtp:` without TLS, where credentials and leads can be read on the network',
    ['true', 'false'],
    'false',
  ),
  MAIL_FROM: text('Sender of all mail; required with `SMTP_URL`', { shown: `\`${exampleSender}\`` }),
  SALES_ADDRESS: text('Address that receives the mails about leads; required with `SMTP_URL`', {
    shown: `\`${exampleSales}\``,
  }),
};

/** With `SMTP_URL` both addresses are required, so that no mail reaches the example addresses by mistake. */
export function readMailConfig(reader: EnvironmentReader): MailConfig {
  const { SMTP_URL, SMTP_ALLOW_PLAIN, MAIL_FROM, SALES_ADDRESS } = reader.read(mailVariables);
  const addressOr = (example: string, name: string, value: string | undefined) => {
    if (value === undefined && SMTP_URL !== undefined) {
      reader.reject(`${name} is missing. With SMTP_URL it must be set, such as "${example}".`);
    } else if (value !== undefined && bareAddress(value) === undefined) {
      reader.reject(`${name} must be one e-mail address, such as "${example}".`);
    }
    return value ?? example;
  };
  return {
    smtpUrl: SMTP_URL?.href,
    requireTls: SMTP_ALLOW_PLAIN === 'false' && !isLoopback(SMTP_URL?.hostname ?? ''),
    from: addressOr(exampleSender, 'MAIL_FROM', MAIL_FROM),
    salesAddress: addressOr(exampleSales, 'SALES_ADDRESS', SALES_ADDRESS),
  };
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}

const email = z.email();

/** The address in `name <address>`, or undefined unless there is exactly one. */
function bareAddress(value: string): string | undefined {
  const [mailbox, ...others] = addressparser(value, { flatten: true });
  const address = mailbox?.address;
  return others.length === 0 && email.safeParse(address).success ? address : undefined;
}

/** The domain of a sender, `name <address>`. */
export function domainOf(sender: string): string {
  return bareAddress(sender)?.split('@')[1] ?? 'localhost';
}
