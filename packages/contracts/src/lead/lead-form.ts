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
