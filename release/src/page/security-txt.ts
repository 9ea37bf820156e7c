import type { SiteConfig } from '@countersign/contracts/site-config';

/** Path of the contact for reports of vulnerabilities (RFC 9116), relative to the root of the site. */
export const securityTxtFile = '.well-known/security.txt';

type SecurityTxt = NonNullable<SiteConfig['securityTxt']>;

const day = 24 * 60 * 60_000;
/** RFC 9116 recommends less than a year. */
const lifetime = 360 * day;
const renewBefore = 180 * day;

/**
 * Resolves the content of the file for the next release. A new contact replaces the one before. The expiry is kept while it is
 * half a year ahead, because a new one makes a new release; each release after that renews it.
 *
 * @param contact the explicit setting
 * @param now ms since epoch
 */
export function renewSecurityTxt(
  contact: string | undefined,
  before: SecurityTxt | undefined,
  now = Date.now(),
): SecurityTxt | undefined {
  const nextContact = contact ?? before?.contact;
  if (nextContact === undefined) return undefined;
  const isFresh = before?.contact === nextContact && Date.parse(before.expires) - now > renewBefore;
  if (isFresh) return before;
  const midnight = Math.floor((now + lifetime) / day) * day;
  return { contact: nextContact, expires: new Date(midnight).toISOString() };
}

/** Content of the file. Empty if the site has no contact. */
export function composeSecurityTxt({
  siteOrigin,
  securityTxt,
}: SiteConfig): readonly (readonly [string, string])[] {
  if (!securityTxt) return [];
  const lines = [
    `Contact: ${securityTxt.contact}`,
    `Expires: ${securityTxt.expires}`,
    'Preferred-Languages: en',
    `Canonical: ${siteOrigin}/${securityTxtFile}`,
  ];
  return [[securityTxtFile, `${lines.join('\n')}\n`]];
}
