import type { SectionId, SlotProps } from '@countersign/contracts/shell-api';
import * as Dialog from '@radix-ui/react-dialog';
import { Menu, X } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import { Navigation } from './navigation.tsx';
import { SignInLinks } from './sign-in-links.tsx';
import { ThemeChoice } from './theme-choice.tsx';
import { useCloseWhenHidden } from './use-close-when-hidden.ts';
import styles from './side-menu.module.css';

export function SideMenu({ shell }: SlotProps) {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const chosen = useRef<SectionId | null>(null);
  const close = useCallback(() => setOpen(false), []);
  useCloseWhenHidden(opener, open, close);

  function changeOpen(next: boolean) {
    chosen.current = null;
    setOpen(next);
  }

  function choose(section: SectionId) {
    chosen.current = section;
    setOpen(false);
  }

  /** Only now are scrolling and focus free again: before, the open menu holds both. */
  function scrollToChosen(event: Event) {
    if (!chosen.current) return;
    event.preventDefault();
    shell.scrollToSection(chosen.current);
    chosen.current = null;
  }

  return (
    <Dialog.Root open={open} onOpenChange={changeOpen}>
      <Dialog.Trigger ref={opener} className={styles.opener} aria-label="Open menu">
        <Menu className={styles.icon} aria-hidden="true" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} />
        <Dialog.Content
          className={styles.panel}
          aria-describedby={undefined}
          onCloseAutoFocus={scrollToChosen}
        >
          <div className={styles.top}>
            <Dialog.Title className={styles.title}>Menu</Dialog.Title>
            <Dialog.Close className={styles.close} aria-label="Close menu">
              <X className={styles.icon} aria-hidden="true" />
            </Dialog.Close>
          </div>
          <Navigation layout="column" onChoose={choose} />
          <div className={styles.bottom}>
            <ThemeChoice theme={shell.theme} />
            <SignInLinks layout="column" page={shell.page} />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
