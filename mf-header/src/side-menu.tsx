import type { SlotProps } from '@countersign/contracts/shell-api';
import { onDemand } from '@countersign/on-demand';
import { Menu } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import { useCloseWhenHidden } from './use-close-when-hidden.ts';
import styles from './side-menu.module.css';

const panel = onDemand(
  async () => (await import(/* webpackChunkName: "side-panel" */ './side-panel.tsx')).SidePanel,
);

export function SideMenu({ shell }: SlotProps) {
  const [open, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  useCloseWhenHidden(opener, open, close);

  return (
    <>
      <button
        ref={opener}
        type="button"
        className={styles.opener}
        aria-label="Open menu"
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={panel.prefetch}
        onFocus={panel.prefetch}
        onClick={() => {
          setOpen(true);
          setWasOpened(true);
        }}
      >
        <Menu className={styles.icon} aria-hidden="true" />
      </button>
      {/* It stays while it closes, for its animation. */}
      {wasOpened ? (
        <panel.Component shell={shell} open={open} opener={opener} onOpenChange={setOpen} />
      ) : null}
    </>
  );
}
