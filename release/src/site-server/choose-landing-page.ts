import { randomInt } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { brand } from '@countersign/contracts/brand';
import type { ShellCanary } from '@countersign/contracts/release-document';
import { pageFiles } from '../store/page-files.ts';
import type { HeaderValues } from '../page/security-headers.ts';

/** A page, with headers in addition to its own. */
export interface ChosenPage {
  readonly name: string;
  readonly headers?: HeaderValues;
}

/** Holds a random number from 0 to 99. Not personal data, because many visitors share each number. */
const cookieName = `${brand.toLowerCase()}-share`;

/** Seven days, in seconds. */
const maxAge = 7 * 24 * 60 * 60;

/**
 * Chooses the landing page of a visitor. While the shell has a canary, the visitor's share, a cookie, decides. A visitor without it
 * gets the stable version and a share for the next view. That first view counts in neither group, because only the stable page is
 * served to first visits, and first views differ from later ones.
 *
 * @param query of the address; `variant=shell@<version>` asks for the canary
 */
export function chooseLandingPage(
  canary: ShellCanary | undefined,
  query: string,
  { cookie = '', 'x-forwarded-proto': protocol }: IncomingHttpHeaders,
): ChosenPage {
  if (!canary) return { name: pageFiles.landing };
  const headers = { 'Cache-Control': 'private, no-cache', Vary: 'Cookie' };
  // `URLSearchParams` reads a typed `+` as a space. The shell reads it in the same way.
  const requested = new URLSearchParams(query).get('variant')?.replaceAll(' ', '+');
  if (requested === `shell@${canary.version}`) return { name: pageFiles.canary, headers };
  const [, share] = new RegExp(`(?:^|; ?)${cookieName}=(\\d{1,2})(?:;|$)`).exec(cookie) ?? [];
  if (share !== undefined)
    return { name: Number(share) < canary.percent ? pageFiles.canary : pageFiles.stable, headers };
  const attributes = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${protocol === 'https' ? '; Secure' : ''}`;
  const set = { 'Set-Cookie': `${cookieName}=${randomInt(100)}; ${attributes}` };
  return { name: pageFiles.landing, headers: { ...headers, ...set } };
}
