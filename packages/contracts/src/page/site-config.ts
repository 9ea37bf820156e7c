import * as z from 'zod/mini';

/**
 * Settings of one deployment. The composer writes them into the page as a data block, so that bundles contain
 * no URLs.
 */
export const siteConfig = z.object({
  /** Origin of the application behind the login, without a path: `https://app.example.com`. */
  appHost: z.url({ protocol: /^https?$/ }),
  /** Public origin of the site, without a path, for canonical and sharing links. */
  siteOrigin: z.url({ protocol: /^https?$/ }),
  /** Theme of visitors without a stored preference. */
  defaultTheme: z.enum(['light', 'system']),
  /** Public key that verifies developer overrides: SPKI in base64url. Without it, overrides are disabled. */
  overrideKey: z.optional(z.string().check(z.regex(/^[\w-]+$/))),
  /** Content of `/.well-known/security.txt` (RFC 9116). Without it there is no such file. */
  securityTxt: z.optional(
    z.object({
      /** `mailto:` or `https:` URL. */
      contact: z.string().check(z.regex(/^(mailto:|https:\/\/)[!-~]+$/)),
      /** ISO 8601, in UTC. */
      expires: z.iso.datetime(),
    }),
  ),
});
export type SiteConfig = z.infer<typeof siteConfig>;
