import type { CanaryGroup } from '@countersign/contracts/telemetry';

/**
 * Which group a visitor is in, for one part: always the same for the same visitor, part and percentage. It does not
 * depend on versions, so that a new canary meets the same visitors; and parts do not share their visitors, so that one
 * person is not in every canary. A larger percentage keeps everybody who was in a smaller one. A visitor without a name
 * is in no canary. The share is a number from 0 to below 1, spread evenly: FNV-1a, mixed by the last step of MurmurHash3.
 * Its source text is inlined in the HTML, so it may use nothing from outside its own body.
 *
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
