import type { SlotProps } from '@countersign/contracts/shell-api';
import { useLayoutEffect, useSyncExternalStore, type ComponentType } from 'react';
import type { ShellApiStore } from '../page/shell-api-store.ts';
import { useSlotShell } from './use-slot-shell.ts';

interface SlotContentProps {
  readonly Component: ComponentType<SlotProps>;
  readonly shell: ShellApiStore;
  /** Is called once the component stands in the page, before anything is painted. */
  readonly onShown: () => void;
  readonly onWrongCall: (error: unknown) => void;
}

/**
 * One version of a part, with services of its own. Its first rendering gets what the markup was made with: there is no
 * element around the component, since the markup has none.
 */
export function SlotContent({ Component, shell, onShown, onWrongCall }: SlotContentProps) {
  const current = useSyncExternalStore(shell.subscribe, shell.get, shell.getPrerendered);
  const own = useSlotShell(current, onWrongCall);
  // Effects of a parent run after those of its children: fields have been registered by then.
  useLayoutEffect(onShown, [onShown]);
  return <Component shell={own} />;
}
