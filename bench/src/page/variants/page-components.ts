import type { SlotProps } from '@countersign/contracts/shell-api';
import type { ComponentType } from 'react';

type Component = ComponentType<SlotProps>;

/** Components of the page, in all variants. */
export interface PageComponents {
  readonly Header: Component;
  /** From top to bottom. */
  readonly main: readonly Component[];
  readonly Footer: Component;
}
