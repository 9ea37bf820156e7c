import type { SlotProps } from '@countersign/contracts/shell-api';
import type { ComponentType } from 'react';

type Component = ComponentType<SlotProps>;

/** The components that fill the page, wherever they come from. */
export interface PageComponents {
  readonly Header: Component;
  /** From top to bottom. */
  readonly main: readonly Component[];
  readonly Footer: Component;
}
