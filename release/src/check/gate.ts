import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { SiteConfig } from '@countersign/contracts/site-config';
import * as z from 'zod/mini';
import { ReleaseFault } from '../release-fault.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { checkRelease } from './check-release.ts';

const record = z.object({ at: z.string(), passed: z.literal(true) });

interface GateOptions {
  readonly site: SiteConfig;
  /** Let everything through. What was found is returned, for the log. */
  readonly force: boolean;
  progress(rule: string): void;
}

/**
 * Lets a state of the page become live only if the check has nothing against it. That it has passed is kept under the
 * state's name, which stands for everything a visitor gets: who has checked before promotes at once. Returns what was
 * found and forced. Throws a {@link ReleaseFault} that lists what was found otherwise.
 */
export async function passGate(
  store: ReleaseStore,
  next: ReleaseDocument,
  live: ReleaseDocument | undefined,
  { site, force, progress }: GateOptions,
): Promise<readonly string[]> {
  const key = `checks/${next.releaseId}.json`;
  const known = await store.objects.read(key);
  if (known && record.safeParse(JSON.parse(new TextDecoder().decode(known.bytes))).success) return [];

  const findings = await checkRelease({ store, next, live, site }, progress);
  const sentences = findings.map(({ sentence }) => sentence);
  if (sentences.length === 0) {
    const passed = JSON.stringify({ at: new Date().toISOString(), passed: true });
    await store.objects.create(key, new TextEncoder().encode(passed));
  } else if (!force) {
    throw new ReleaseFault(sentences.join('\n'));
  }
  return sentences;
}
