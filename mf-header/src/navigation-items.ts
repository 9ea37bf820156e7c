import type { SectionId } from '@countersign/contracts/shell-api';

export interface NavigationItem {
  readonly label: string;
  readonly section: SectionId;
}

export const navigationItems: readonly NavigationItem[] = [
  { label: 'Features', section: 'features' },
  { label: 'Pricing', section: 'pricing' },
  { label: 'API', section: 'api' },
  { label: 'Contact', section: 'contact' },
];
