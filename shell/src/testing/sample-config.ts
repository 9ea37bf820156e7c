import type { SiteConfig } from '@countersign/contracts/site-config';

/** Settings of a deployment that does not exist. */
export const sampleConfig: SiteConfig = {
  appHost: 'https://app.example',
  siteOrigin: 'https://www.example.com',
  defaultTheme: 'light',
};
