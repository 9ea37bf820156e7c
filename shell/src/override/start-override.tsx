import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { ReactElement } from 'react';
import { applyOverride } from './apply-override.ts';
import { OverrideBanner } from './override-banner.tsx';
import { verifyOverride } from './verify-override.ts';

/** What an override changes in the page. */
interface ActiveOverride {
  readonly release: ReleaseDocument;
  readonly banner: ReactElement;
}

/**
 * Verifies the token of this tab and applies its override. Loaded on demand, because few tabs have a token.
 *
 * @param overrideKey public key of the site
 * @returns undefined if the token is not valid
 */
export async function startOverride(
  token: string,
  overrideKey: string,
  published: ReleaseDocument,
): Promise<ActiveOverride | undefined> {
  const override = await verifyOverride(token, overrideKey, Date.now());
  if (!override) return undefined;
  return { release: applyOverride(published, override), banner: <OverrideBanner override={override} /> };
}
