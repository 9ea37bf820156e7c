import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly mail: Email;
  /** The name that the client gave in EHLO. */
  readonly client: string;
}

/** Rejects a recipient with a status and a text. */
interface Refusal {
  readonly status: number;
  readonly text: string;
}

/** A real SMTP server on a free port. */
export interface SmtpReceiver extends AsyncDisposable {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** All named recipients, including rejected ones. */
  readonly recipients: readonly string[];
  /** Sets the function that decides about each recipient. */
  refuse(decide: (recipient: string) => Refusal | undefined): void;
}

/** @param startTls whether it offers STARTTLS, with a self-signed certificate */
export async function startSmtpReceiver(startTls = false): Promise<SmtpReceiver> {
  const mails: ReceivedMail[] = [];
  const recipients: string[] = [];
  let decide: (recipient: string) => Refusal | undefined = () => undefined;
  const server = new SMTPServer({
    authOptional: true,
    // Without `onAuth`, the server refuses every password.
    allowInsecureAuth: true,
    disableReverseLookup: true,
    // Milliseconds for which it waits for clients when it stops.
    closeTimeout: 1,
    disabledCommands: startTls ? [] : ['STARTTLS'],
    onRcptTo({ address }, _session, callback) {
      recipients.push(address);
      const refusal = decide(address);
      if (refusal === undefined) callback();
      else callback(Object.assign(new Error(refusal.text), { responseCode: refusal.status }));
    },
    onData(stream, { envelope, hostNameAppearsAs }, callback) {
      const receive = async () => {
        mails.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          client: hostNameAppearsAs,
          mail: await PostalMime.parse(await buffer(stream)),
        });
      };
      // Reports an incomplete mail as an error, because its sender may have been killed.
      void receive().then(() => callback(), callback);
    },
  });
  // Ignores errors of clients that disconnect early.
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    recipients,
    refuse: (next) => void (decide = next),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
