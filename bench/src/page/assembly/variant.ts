import type { Site } from './site-files.ts';

/** One way to put the page together from the same sources. */
export interface Variant {
  readonly name: VariantName;
  readonly site: Site;
  /** The same page after the part with the prices was deployed in another version. */
  readonly deployed: Site;
}

export const variantNames = ['plain', 'prerendered', 'default', 'ours'] as const;
export type VariantName = (typeof variantNames)[number];
