/** What a form for leads needs to be sent by the browser alone. Without the schemas, whose library is large. */

/** What a visitor asked for. The path that a lead is sent to decides it. */
export const leadTypes = ['trial', 'demo', 'contact'] as const;
export type LeadType = (typeof leadTypes)[number];

/** Where a lead of a type is sent to, relative to the site's origin. */
export function leadPath(type: LeadType): `/api/${LeadType}` {
  return `/api/${type}`;
}

/**
 * A field that no person sees and every person leaves empty. The name means nothing to browsers and password managers,
 * so that none fills it in.
 */
export const trapField = 'reference_2';
