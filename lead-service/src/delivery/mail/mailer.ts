import { mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createTransport } from 'nodemailer';
import { limitAttempt } from '../attempt-limit.ts';
import { delivered, failed, failureReason, type SendResult } from '../send-result.ts';

/** An address that is not looked at again: a text might be taken for several. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** A mail of which nobody's typed text has reached a header unchecked. */
export interface Mail {
  /** Names the mail; the same for every attempt. */
  readonly id: string;
  readonly from: string;
  readonly to: string | Mailbox;
  readonly replyTo?: Mailbox;
  readonly messageId: string;
  readonly subject: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a mail. A result that is not `delivered` says whether another attempt can succeed. */
export type SendMail = (mail: Mail, signal: AbortSignal) => Promise<SendResult>;

/** Content of a mail is what it says, never a file or an address to be read. */
const noContentFromElsewhere = { disableFileAccess: true, disableUrlAccess: true };

/** @param timeout milliseconds for a whole attempt */
export function createSmtpMailer(url: string, timeout: number): SendMail {
  const transport = createTransport({
    url,
    ...noContentFromElsewhere,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
  });
  return async (mail, interruption) => {
    using limit = limitAttempt(timeout, interruption);
    try {
      const { response } = await transport.sendMail({ ...mail, signal: limit.signal });
      return delivered(response, Number.parseInt(response, 10) || null);
    } catch (error) {
      if (limit.isOver) return failed(`No answer within ${timeout / 1_000} s.`);
      return refusal(error);
    }
  };
}

/** The reply of a server is for good only if it is about this mail: a wrong password is not. */
function refusal(error: unknown): SendResult {
  const { code, response, responseCode, permanent } = error as {
    code?: string;
    response?: string;
    responseCode?: number;
    permanent?: boolean;
  };
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  return failed(response ?? failureReason(error), responseCode ?? null, isAboutMail && permanent === true);
}

const unfinishedExtension = '.tmp';

/** Keeps mail as files, each on disk when it counts as delivered. A repeated mail replaces the one before. */
export function createFileMailer(directory: string): SendMail {
  const transport = createTransport({ streamTransport: true, buffer: true, ...noContentFromElsewhere });
  let cleared: Promise<void> | undefined;
  return async (mail) => {
    // Only for this user: mail is personal data.
    const made = await mkdir(directory, { recursive: true, mode: 0o700 });
    if (made !== undefined) await syncDirectory(dirname(made));
    // All wait for it: it would take what they have begun.
    await (cleared ??= removeUnfinished(directory).catch((error: unknown) => {
      cleared = undefined;
      throw error;
    }));
    const { message } = await transport.sendMail(mail);
    const unfinished = join(directory, mail.id + unfinishedExtension);
    await writeToDisk(unfinished, message);
    // Under its own name only now: nobody finds half of one.
    await rename(unfinished, join(directory, `${mail.id}.eml`));
    await syncDirectory(directory);
    return delivered('Kept as a file.');
  };
}

async function writeToDisk(path: string, content: Parameters<FileHandle['writeFile']>[0]): Promise<void> {
  await using file = await open(path, 'w', 0o600);
  await file.writeFile(content);
  await file.sync();
}

/** A name that was given to a file is on disk when its directory is. */
async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, 'r');
  await directory.sync();
}

/** What a process has begun that was killed would never be found again by whoever erases a person's mail. */
async function removeUnfinished(directory: string): Promise<void> {
  const names = await readdir(directory);
  for (const name of names) if (name.endsWith(unfinishedExtension)) await rm(join(directory, name));
}
