import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { printableLine } from '../printable.ts';
import { ReleaseFault } from '../release-fault.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { checkRelease } from './check-release.ts';

/** What the log says of a release that was in a hurry. */
export const uncheckedSentence = 'Whether it fits the contract and renders was not looked at.';

interface GateOptions {
  readonly site: SiteConfig;
  /** Let everything through, and look only at what takes no time. */
  readonly force: boolean;
  progress(rule: string): void;
}

/**
 * Lets a state of the page become live only if the check has nothing against it. Returns what speaks against it and was
 * forced, for the log. Throws a {@link ReleaseFault} that lists what was found otherwise.
 */
export async function passGate(
  store: ReleaseStore,
  next: ReleaseDocument,
  live: ReleaseDocument | undefined,
  { site, force, progress }: GateOptions,
): Promise<readonly string[]> {
  const candidate = { store, next, live, site };
  const { findings, complete } = await checkRelease(candidate, { quick: force, progress });
  const sentences = findings.map(({ sentence }) => sentence);
  if (force) return complete ? sentences : [...sentences, uncheckedSentence];
  if (sentences.length > 0) throw new ReleaseFault(sentences.map(printableLine).join('\n'));
  return [];
}
