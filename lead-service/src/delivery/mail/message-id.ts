import { bareAddress } from './mail-config.ts';

/** `Message-ID` of a mail: the same for every attempt, so that a mailbox can detect duplicates. */
export function messageId(id: string, from: string): string {
  const domain = bareAddress(from)?.split('@')[1] ?? 'localhost';
  return `<${id}@${domain}>`;
}
