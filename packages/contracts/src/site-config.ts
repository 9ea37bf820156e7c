import * as z from 'zod/mini';

/**
 * Settings of one deployment. The composer writes them into the page as a data block, so that no bundle
 * carries an address.
 */
export const siteConfig = z.object({
  /** Origin of the application behind the login, without a path: `https://app.example.com`. */
  appHost: z.url({ protocol: /^https?$/ }),
  /** Origin under which visitors reach the site, without a path: for canonical and sharing links. */
  siteOrigin: z.url({ protocol: /^https?$/ }),
  /** Theme of a visitor who has not chosen one. */
  defaultTheme: z.enum(['light', 'system']),
  /** Public key that developer overrides must be signed for: SPKI in base64url. Without it there are none. */
  overrideKey: z.optional(z.string().check(z.regex(/^[\w-]+$/))),
});
export type SiteConfig = z.infer<typeof siteConfig>;
