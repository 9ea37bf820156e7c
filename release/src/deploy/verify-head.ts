import type { KeyObject } from 'node:crypto';
import { ReleaseError } from '../platform/release-error.ts';
import { isIntact, type AuditEntry } from '../store/audit-entry.ts';
import { readHead, writeHead } from '../store/log-head.ts';
import { NothingIsLive, type LiveState, type ReleaseStore } from '../store/release-store.ts';
import type { LogHead } from '../store/stored-documents.ts';
import type { SeenHeads } from './seen-heads.ts';

/** Milliseconds that the clocks of signer and verifier may differ. */
const clockTolerance = 5 * 60_000;

interface Verifier {
  readonly publicKeys: readonly KeyObject[];
  readonly seen: SeenHeads;
  /** Milliseconds after which a head shows no longer that the store is up to date. */
  readonly maxAge: number;
  readonly now: Date;
}

/** Outcome of {@link verifyHead}. */
interface VerifiedHead {
  /** `undefined` if there is none, or none with a valid signature. */
  readonly head: LogHead | undefined;
  readonly errors: readonly string[];
}

/**
 * Verifies that the log has the entry of its signed head, that the head is recent, and that the log still has the last head that this
 * machine has seen. Remembers the head if all of that is true.
 */
export async function verifyHead(store: ReleaseStore, verifier: Verifier): Promise<VerifiedHead> {
  const { publicKeys, seen, maxAge, now } = verifier;
  const name = store.objects.displayName;
  try {
    const last = await seen.of(name);
    // Read before the log, which may get newer entries meanwhile.
    const head = await readHead(store.objects, publicKeys);
    if (!head) {
      const message = `${name} has no signed head of its log, so it may be an old state. Start the release server with LOG_KEY, or run "sign-head".`;
      return { head, errors: [message] };
    }
    const live = await store.readLive();
    if (!live) throw new NothingIsLive();
    const errors = [...ageErrors(head, maxAge, now), ...(await logErrors(store, live, head, 'was signed'))];
    if (last) {
      errors.push(...(await logErrors(store, live, last, `was seen before (${seen.path})`)));
      if (head.sequence < last.sequence) {
        errors.push(
          `The signed head was set back: it is entry ${head.sequence}, and entry ${last.sequence} was seen before (${seen.path}).`,
        );
      }
    }
    if (errors.length === 0) await seen.remember(name, head);
    return { head, errors };
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    return { head: undefined, errors: [error.message] };
  }
}

/**
 * Signs the live entry as the head of the log. Throws a {@link ReleaseError} if the log lacks the last head that this machine has
 * seen, so that a store which was set back gets no new signature.
 */
export async function signHead(
  store: ReleaseStore,
  key: KeyObject,
  seen: SeenHeads,
  now = new Date(),
): Promise<LogHead> {
  const live = await store.readLiveForChange();
  if (!live) throw new NothingIsLive();
  const last = await seen.of(store.objects.displayName);
  const errors = last ? await logErrors(store, live, last, `was signed before (${seen.path})`) : [];
  if (errors.length > 0) throw new ReleaseError(errors.join('\n'));
  const head = await writeHead(store.objects, key, live.entry, now);
  await seen.remember(store.objects.displayName, head);
  return head;
}

function ageErrors({ at }: LogHead, maxAge: number, now: Date): readonly string[] {
  const age = now.getTime() - Date.parse(at);
  const minutes = (milliseconds: number) => `${Math.round(milliseconds / 60_000)} minutes`;
  if (age < -clockTolerance) {
    return [
      `The head of the log was signed at ${at}, which is in the future. Correct the clock that is wrong.`,
    ];
  }
  if (age <= maxAge) return [];
  return [
    `The head of the log was signed ${minutes(age)} ago, at ${at}, and ${minutes(maxAge)} are allowed. The store may be frozen at an old state, or the release server does not renew the head: see its log.`,
  ];
}

/** Errors of a log that does not lead from an entry to the live one. */
async function logErrors(
  store: ReleaseStore,
  live: LiveState,
  { sequence, hash }: Pick<AuditEntry, 'sequence' | 'hash'>,
  when: string,
): Promise<readonly string[]> {
  const { sequence: newest } = live.entry;
  if (newest < sequence) {
    return [
      `The store was set back: its newest entry is ${newest}, and entry ${sequence} ${when}. Restore the newer store.`,
    ];
  }
  const chain = await store.recentHistory(live, newest - sequence + 1);
  const isUnbroken = chain.every(
    (entry, index) => isIntact(entry) && (index === 0 || chain[index - 1]?.previousHash === entry.hash),
  );
  if (isUnbroken && chain.length === newest - sequence + 1 && chain.at(-1)?.hash === hash) return [];
  return [
    `The log was forked: its entries up to ${newest} do not follow the entry ${sequence} that ${when}. Restore the log.`,
  ];
}
