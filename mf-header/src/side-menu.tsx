import { Icon } from '@countersign/icon';
import { loadFailureToast, type SlotProps } from '@countersign/contracts/shell-api';
import { onDemand } from '@countersign/on-demand';
import { Menu } from 'lucide';
import { startTransition, useEffect, useRef, useState } from 'react';
import styles from './side-menu.module.css';

const panel = onDemand(
  async () => (await import(/* webpackChunkName: "side-panel" */ './side-panel.tsx')).SidePanel,
);

export function SideMenu({ shell }: SlotProps) {
  // blind spot: no step hears it, but the tests of this part look for it.
  const [open, setOpen] = useState(false);
  // blind spot: equivalent, but the panel is loaded sooner.
  const [wasOpened, setWasOpened] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    // blind spot (false, undefined): equivalent, because it would only close what is closed.
    if (!open) return undefined;
    const close = () => setOpen(false);
    // blind spot: no step changes the size of the window, but the tests of this part do.
    const closeIfHidden = () => {
      // The stylesheet alone defines at which width it is hidden.
      if (opener.current && getComputedStyle(opener.current).display === 'none') close();
    };
    // blind spot: no step changes the size of the window, but the tests of this part do.
    window.addEventListener('resize', closeIfHidden);
    // Back leads to another place of the page, which the open menu covers.
    window.addEventListener('popstate', close);
    // blind spot: equivalent, because they only close what is closed.
    return () => {
      window.removeEventListener('resize', closeIfHidden);
      window.removeEventListener('popstate', close);
    };
  }, [open]);

  // blind spot (without type, without aria-haspopup, without aria-expanded, prefetch, wasOpened → true): no step hears a state, but
  // tests of this part do. The others are equivalent, because there is no form, and only the time changes at which the panel loads.
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={styles.opener}
        aria-label="Open menu"
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={() => void panel.prefetch()}
        onFocus={() => void panel.prefetch()}
        onClick={() => {
          setOpen(true);
          // The button says that it is expanded (`aria-expanded`) before the first, slower rendering of the panel.
          startTransition(() => setWasOpened(true));
        }}
      >
        <Icon icon={Menu} />
      </button>
      {/* From the first opening on, which loads its code. */}
      {wasOpened ? (
        <panel.Component
          shell={shell}
          open={open}
          opener={opener}
          onOpenChange={setOpen}
          // blind spot: no step makes a file fail to load, but an end-to-end test does.
          onLoadFailure={() => {
            setOpen(false);
            setWasOpened(false);
            shell.notify(loadFailureToast);
          }}
        />
      ) : null}
    </>
  );
}
