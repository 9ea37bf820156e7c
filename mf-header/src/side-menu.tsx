import { Icon } from '@countersign/icon';
import { loadFailureNotice, type SlotProps } from '@countersign/contracts/shell-api';
import { onDemand } from '@countersign/on-demand';
import { Menu } from 'lucide';
import { startTransition, useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import styles from './side-menu.module.css';

const panel = onDemand(
  async () => (await import(/* webpackChunkName: "side-panel" */ './side-panel.tsx')).SidePanel,
);

export function SideMenu({ shell }: SlotProps) {
  const [open, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  useCloseOnLeave(opener, open, close);

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
          // The button is shown as pressed before the first, slower rendering.
          startTransition(() => setWasOpened(true));
        }}
      >
        <Icon icon={Menu} className={styles.icon} />
      </button>
      {/* Stays mounted after closing, for the exit animation. */}
      {wasOpened ? (
        <panel.Component
          shell={shell}
          open={open}
          opener={opener}
          onOpenChange={setOpen}
          onLoadFailure={() => {
            setOpen(false);
            setWasOpened(false);
            shell.notify(loadFailureNotice);
          }}
        />
      ) : null}
    </>
  );
}

/**
 * Closes a popup on Back and Forward, and if the window is resized so that its opener is hidden. Reads the computed
 * style, so that the breakpoint is defined in the stylesheet only.
 */
function useCloseOnLeave(opener: RefObject<HTMLElement | null>, open: boolean, close: () => void) {
  useEffect(() => {
    if (!open) return undefined;
    function closeIfHidden() {
      if (opener.current && getComputedStyle(opener.current).display === 'none') close();
    }
    window.addEventListener('resize', closeIfHidden);
    window.addEventListener('popstate', close);
    return () => {
      window.removeEventListener('resize', closeIfHidden);
      window.removeEventListener('popstate', close);
    };
  }, [opener, open, close]);
}
