import type { BrowserLocation } from '@countersign/browser/find-browser';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { ReleaseError } from '../store/release-error.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { checkRelease } from './check-release.ts';

/** Entry in the history of a forced release, which skips the slow rules. */
const uncheckedMessage = 'The contract and the rendering were not checked.';

interface PreDeployCheckOptions {
  readonly site: SiteConfig;
  readonly browser: BrowserLocation;
  /** Deploy in spite of violations, and skip the slow rules. */
  readonly force: boolean;
  progress(rule: string): void;
}

/**
 * Throws a {@link ReleaseError} that lists all violations of a release. With `force` it returns them instead, because the
 * history records them.
 */
export async function runPreDeployCheck(
  store: ReleaseStore,
  next: ReleaseDocument,
  live: ReleaseDocument | undefined,
  { site, browser, force, progress }: PreDeployCheckOptions,
): Promise<readonly string[]> {
  const candidate = { store, next, live, site, browser };
  const { violations, complete } = await checkRelease(candidate, { quick: force, progress });
  const messages = violations.map(({ message }) => message);
  if (force) return complete ? messages : [...messages, uncheckedMessage];
  if (messages.length > 0) throw new ReleaseError(messages.join('\n'));
  return [];
}
