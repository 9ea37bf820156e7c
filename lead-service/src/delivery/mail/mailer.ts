import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { isTimeout, limitAttempt } from '../attempt-delivery.ts';
import { type AttemptResult, delivered, failed, failureReason, unanswered } from '../attempt-result.ts';
import type { Mail } from './lead-mails.ts';
import { createDirectory, syncDirectory } from '../../platform/replace-file.ts';

type SendMail = (mail: Mail, signal: AbortSignal) => Promise<AttemptResult>;

/** Prevents nodemailer from reading files or URLs named in the content. */
const noExternalContent = { disableFileAccess: true, disableUrlAccess: true };

/**
 * @param clientName name of this service for the mail server. Without it, nodemailer may send an address literal, which strict
 *   servers refuse
 * @param timeout milliseconds for a whole attempt
 */
export function createSmtpMailer(
  url: string,
  clientName: string,
  requireTls: boolean,
  timeout: number,
): SendMail {
  const transport = createTransport({
    url,
    name: clientName,
    // Without it, nodemailer sends in plain text to a server, or an attacker, that does not offer STARTTLS.
    requireTLS: requireTls,
    // Where plain text is permitted, an unchecked certificate is no worse. A relay on the same machine often has a self-signed one.
    tls: { rejectUnauthorized: requireTls },
    ...noExternalContent,
  });
  return async (mail, interruption) => {
    const signal = limitAttempt(timeout, interruption);
    try {
      const { response } = await transport.sendMail({ ...mail, signal });
      return delivered(response, Number.parseInt(response, 10) || null);
    } catch (error) {
      return isTimeout(signal) ? unanswered(`No answer within ${timeout / 1_000} s.`) : failureResult(error);
    }
  };
}

const connectionErrors = new Set(['ECONNECTION', 'EDNS', 'ESOCKET', 'ETIMEDOUT', 'ETLS']);

/**
 * The result of an attempt that failed with an error of nodemailer. A permanent rejection is retried as well, because the
 * operator can repair a password or the mailbox of sales in the meantime.
 */
function failureResult(error: unknown): AttemptResult {
  const { message, code, command, response, responseCode } = error as Error & {
    code?: string;
    command?: string;
    response?: string;
    responseCode?: number;
  };
  if (code === 'ETLS' && command === 'STARTTLS' && response !== undefined) {
    return unanswered(
      'The mail server does not accept STARTTLS. Use smtps:, or permit plain text on a closed network with SMTP_ALLOW_PLAIN=true.',
    );
  }
  if (response === undefined) {
    // Only these messages quote no personal data. They tell a certificate from a refused connection; the code does not.
    return unanswered(connectionErrors.has(code ?? '') ? `${code}: ${message}` : failureReason(error));
  }
  return failed(response, responseCode ?? null);
}

/**
 * Writes mails to files, and syncs each to disk before it counts as delivered. A repeated mail replaces the earlier file.
 *
 * @param deliveryExists false if the delivery was erased during the attempt. Then no file stays, unless the process is killed between the
 *   two
 */
export function createFileMailer(
  directory: string,
  deliveryExists: (deliveryId: string) => Promise<boolean>,
): SendMail {
  const transport = createTransport({ streamTransport: true, buffer: true, ...noExternalContent });
  return async (mail) => {
    await createDirectory(directory);
    const { message } = await transport.sendMail(mail);
    const file = join(directory, `${mail.id}.eml`);
    let isKept = false;
    try {
      // In place, because the erasure of a person finds also the half of a killed process, and the next attempt replaces it.
      await writeFile(file, message, { mode: 0o600, flush: true });
      await syncDirectory(directory);
      isKept = await deliveryExists(mail.id);
    } finally {
      if (!isKept) await rm(file, { force: true });
    }
    return delivered('Kept as a file.');
  };
}
