import { Option } from 'commander';
import type { ReleaseConfig } from '../config.ts';
import { SeenHeads } from '../deploy/seen-heads.ts';
import { errorMessage } from '../platform/file-error.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { makeLogKey } from '../store/log-key.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import type { LogHead } from '../store/stored-documents.ts';
import type { CommandContext } from './command-context.ts';
import { printProgress } from './print.ts';
import type { ReleaseCommand } from './release-command.ts';

export const signHeadCommand: ReleaseCommand<{ readonly newKey?: boolean }> = {
  usage: 'sign-head',
  description: 'sign the newest entry of the log with LOG_KEY, as the release server does every ten minutes',
  options: [new Option('--new-key', 'print a new LOG_KEY, and its public key for LOG_PUBLIC_KEYS')],
  async run({ options, open }) {
    if (options.newKey) {
      const { privateKey, publicKey } = makeLogKey();
      return {
        json: { privateKey, publicKey },
        lines: [`LOG_KEY=${privateKey}`, `LOG_PUBLIC_KEYS=${publicKey}`],
      };
    }
    const { store, config } = open();
    const head = await signHeadOf(store, config);
    return { json: head, lines: `entry ${head.sequence} is the signed head of the log, of ${head.at}` };
  },
};

/** Signs the newest entry of the log. Throws a {@link ReleaseError} if the key is missing, or if the store was set back. */
export async function signHeadOf(
  store: ReleaseStore,
  { logKey, seenHeadsFile }: Pick<ReleaseConfig, 'logKey' | 'seenHeadsFile'>,
): Promise<LogHead> {
  if (!logKey) {
    throw new ReleaseError(
      'LOG_KEY is missing. Set it to the key of the log; "npm run release -- sign-head --new-key" makes one.',
    );
  }
  // Imported on demand, because of the library for signatures.
  const { signHead } = await import('../deploy/verify-head.ts');
  return signHead(store, logKey.privateKey, new SeenHeads(seenHeadsFile));
}

/** Signs the entry of a change, if there is a key. The change has succeeded already, so an error is reported only. */
export async function signHeadAfterChange({ store, config }: CommandContext): Promise<void> {
  if (!config.logKey) return;
  try {
    await signHeadOf(store, config);
  } catch (error) {
    printProgress(`The head of the log was not signed: ${errorMessage(error)}`);
  }
}
