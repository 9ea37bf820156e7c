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
});
export type SiteConfig = z.infer<typeof siteConfig>;
