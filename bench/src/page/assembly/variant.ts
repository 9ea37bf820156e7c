import type { Site } from './site-files.ts';

/** One way to build the page from the same sources. */
export interface Variant {
  readonly name: VariantName;
  readonly site: Site;
  /** The same page after a deploy of another version of the pricing component. */
  readonly deployed: Site;
}

export const variantNames = ['plain', 'prerendered', 'default', 'ours'] as const;
export type VariantName = (typeof variantNames)[number];
