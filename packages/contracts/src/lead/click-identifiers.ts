/**
 * Query parameters in which advertising networks send an identifier of one click. They identify a person to the network, so
 * a lead contains them only with a consent.
 */
export const clickIdentifiers = ['gclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid', 'li_fat_id'] as const;

/** The same of networks whose identifiers no lead contains. They are removed from its addresses. */
const otherIdentifiers = ['dclid', 'gad_source', 'rdt_cid', 'ttclid', 'twclid', 'yclid', '_gl'];

/** All parameters that an address of a lead must not have. */
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
