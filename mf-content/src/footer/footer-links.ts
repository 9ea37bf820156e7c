import type { SectionId } from '@countersign/contracts/shell-api';

export interface FooterLink {
  readonly label: string;
  /** Target section. Without one the link is announced as unavailable, because its page does not exist yet. */
  readonly section?: SectionId;
}

interface FooterGroup {
  readonly title: string;
  readonly links: readonly FooterLink[];
}

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
      { label: 'Help Center' },
      { label: 'Security' },
      { label: 'Privacy Policy' },
      { label: 'Terms of Service' },
    ],
  },
];
