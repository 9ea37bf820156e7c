import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { listenLocally } from './local-server.ts';

/**
 * Starts a real SMTP server on a free port.
 *
 * @param startTls whether it offers STARTTLS, with a self-signed certificate
 */
export async function startSmtpReceiver(startTls = false) {
  const mails: { from: string; to: readonly string[]; client: string; mail: Email }[] = [];
  /** All named recipients, including rejected ones. */
  const recipients: string[] = [];
  /** With which status and text a recipient is refused. */
  let decide: (recipient: string) => { status: number; text: string } | undefined = () => undefined;
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
          // The name that the client gave in EHLO.
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
  const port = await listenLocally(server.server);
  return {
    url: `smtp://127.0.0.1:${port}`,
    ...{ mails, recipients },
    /** Sets the function that decides about each recipient. */
    refuse: (next: typeof decide) => void (decide = next),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
