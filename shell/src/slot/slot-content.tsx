import type { SlotProps } from '@countersign/contracts/shell-api';
import { useLayoutEffect, useSyncExternalStore, type ComponentType } from 'react';
import type { ShellApiStore } from '../page/shell-api-store.ts';

interface SlotContentProps {
  readonly Component: ComponentType<SlotProps>;
  readonly shell: ShellApiStore;
  /** Called in a layout effect after the component is in the DOM, before the browser paints. */
  readonly onShown: () => void;
}

/** Renders one version. The first rendering uses the prerendered values, and adds no element, because the markup must match. */
export function SlotContent({ Component, shell, onShown }: SlotContentProps) {
  const current = useSyncExternalStore(shell.subscribe, shell.get, shell.getPrerendered);
  // A parent's effects run after those of its children, so form libraries have registered their fields by then.
  useLayoutEffect(onShown, [onShown]);
  return <Component shell={current} />;
}
