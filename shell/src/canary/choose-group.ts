// blind spot: journeys have no canary, but the tests of this file do.
import type { CanaryGroup } from '@countersign/contracts/page-report';

/**
 * Assigns a visitor to the stable version or the canary of one part. The result depends on visitor, part and
 * percentage only, so a new canary version meets the same visitors. The hash includes the part, so the same
 * visitors are not in the canary of every part, or in place of it all versions of a canary of several parts. Raising the percentage keeps all visitors who were in the
 * canary before. A visitor without an ID is never in a canary. The hash is FNV-1a with the MurmurHash3
 * finalizer, which spreads it evenly.
 *
 * The source text is inlined in the HTML, so the function must not use anything outside its body.
 *
 * @param part its name, or `together` of the release document
 * @param percent from 0 to 100
 */
export function chooseGroup(visitorId: string | undefined, part: string, percent: number): CanaryGroup {
  if (visitorId === undefined) return 'stable';
  let hash = 0x811c9dc5;
  for (const character of `${visitorId} ${part}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  const share = ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
  return share * 100 < percent ? 'canary' : 'stable';
}

/**
 * Whether the address asks for this canary: `?variant=<part>@<version>`. Shows it to one tab, whatever its percentage is. The
 * source text is inlined in the HTML, so the function must not use anything outside its body.
 *
 * @param query of the address, such as `location.search`
 * @param versions of the canary, separated by spaces: `mf-leads@1.2.0 mf-pricing@2.0.0`
 */
export function isRequested(query: string, versions: string): boolean {
  // `URLSearchParams` reads a typed `+` as a space.
  const wanted = new URLSearchParams(query).get('variant')?.replaceAll(' ', '+') ?? '';
  return versions.split(' ').includes(wanted);
}
