import * as z from 'zod/mini';

const address = z.url({ protocol: /^https?$/ });

/**
 * Settings of one deployment. The composer writes them into the page as a data block, so that bundles contain
 * no URLs.
 */
export const siteConfig = z.object({
  /** Origin of the application behind the login, without a path: `https://app.example.com`. */
  appHost: address,
  /** Public origin of the site, without a path, for canonical and sharing links. */
  siteOrigin: address,
  /** Theme of visitors without a stored preference. */
  defaultTheme: z.enum(['light', 'system']),
  /** Pages of the operator, to which the footer links. */
  privacyUrl: z.optional(address),
  termsUrl: z.optional(address),
  securityUrl: z.optional(address),
  helpUrl: z.optional(address),
  /** Sentence under each form, before a link to `privacyUrl`. */
  consentText: z.optional(z.string().check(z.maxLength(2_000))),
  /** Whether senders must tick a box for it. */
  consent: z.optional(z.literal('required')),
});
export type SiteConfig = z.infer<typeof siteConfig>;
