/** Constants of the lead forms that need no schemas, because the schema library is large. */

/** Type of a lead. Each type has a path of its own. */
export const leadTypes = ['trial', 'demo', 'contact'] as const;
export type LeadType = (typeof leadTypes)[number];

/** Path that a lead is posted to, relative to the site's origin. */
export function leadPath(type: LeadType): `/api/${LeadType}` {
  return `/api/${type}`;
}

/**
 * Honeypot: a hidden field that people leave empty. Browsers and password managers do not recognise the name,
 * so they do not fill it in.
 */
export const honeypotField = 'reference_2';

/** Field with the text of a consent, which a form without script sends. */
export const consentField = 'consentText';

/**
 * Query parameters in which advertising networks send an identifier of one click. They identify a person to the network, so
 * a lead contains them only with a consent.
 */
export const clickIdentifiers = ['gclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid', 'li_fat_id'] as const;

/** Click identifiers that no lead contains, even with a consent. */
const otherIdentifiers = ['dclid', 'gad_source', 'rdt_cid', 'ttclid', 'twclid', 'yclid', '_gl'];

/** All query parameters that the addresses in a lead must not have. */
export const removedParameters: readonly string[] = [...clickIdentifiers, ...otherIdentifiers];

/**
 * Removes query parameters from an address without a fragment. What remains keeps its spelling.
 *
 * @param names in lower case; the address may spell them in another way
 */
export function withoutParameters(address: string, names: readonly string[]): string {
  const [path = '', ...query] = address.split('?');
  const parameters = query.join('?').split('&');
  const kept = parameters.filter((parameter) => !names.includes(nameOf(parameter)));
  if (kept.length === parameters.length) return address;
  return kept.length > 0 ? `${path}?${kept.join('&')}` : path;
}

function nameOf(parameter: string): string {
  const [[name = ''] = []] = new URLSearchParams(parameter);
  return name.toLowerCase();
}
