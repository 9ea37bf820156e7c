import type { SiteConfig } from '@countersign/contracts/site-config';

/** Site configuration for tests. */
export const sampleConfig: SiteConfig = {
  appHost: 'https://app.example',
  siteOrigin: 'https://www.example.com',
  defaultTheme: 'light',
};
