import type { SlotProps } from '@countersign/contracts/shell-api';
import { useLayoutEffect, useSyncExternalStore, type ComponentType } from 'react';
import type { ShellApiStore } from '../page/shell-api-store.ts';
import { useSlotShell } from './use-slot-shell.ts';

interface SlotContentProps {
  readonly Component: ComponentType<SlotProps>;
  readonly shell: ShellApiStore;
  /** Called in a layout effect after the component is in the DOM, before the browser paints. */
  readonly onShown: () => void;
  readonly onInvalidCall: (error: unknown) => void;
}

/**
 * Renders one version with a `ShellApi` of its own. The first rendering uses the prerendered values, and adds
 * no element, because the markup must match.
 */
export function SlotContent({ Component, shell, onShown, onInvalidCall }: SlotContentProps) {
  const current = useSyncExternalStore(shell.subscribe, shell.get, shell.getPrerendered);
  const own = useSlotShell(current, onInvalidCall);
  // A parent's effects run after those of its children, so form libraries have registered their fields by then.
  useLayoutEffect(onShown, [onShown]);
  return <Component shell={own} />;
}
