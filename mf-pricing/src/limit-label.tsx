import * as Tooltip from '@radix-ui/react-tooltip';
import { Info } from 'lucide-react';
import { useState } from 'react';
import type { Limit } from './limits.ts';
import styles from './limit-label.module.css';

export function LimitLabel({ limit }: { readonly limit: Limit }) {
  const [open, setOpen] = useState(false);
  if (!limit.explanation) return limit.label;
  return (
    <Tooltip.Root open={open} onOpenChange={setOpen}>
      <Tooltip.Trigger
        className={styles.trigger}
        onClick={(event) => {
          // A tooltip closes on a press; a finger has no other way to open it.
          event.preventDefault();
          setOpen(true);
        }}
      >
        {limit.label}
        <Info className={styles.icon} aria-hidden="true" />
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          className={styles.explanation}
          side="top"
          align="start"
          sideOffset={4}
          collisionPadding={16}
        >
          {limit.explanation}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
