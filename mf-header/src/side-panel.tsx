import { Icon } from '@countersign/icon';
import type { SectionId, SlotProps } from '@countersign/contracts/shell-api';
import * as Dialog from '@radix-ui/react-dialog';
import { X } from 'lucide';
import { useRef, type RefObject } from 'react';
import { Navigation } from './navigation.tsx';
import { SignInLinks } from './sign-in-links.tsx';
import { ThemeChoice } from './theme-choice.tsx';
import styles from './side-panel.module.css';

interface SidePanelProps extends SlotProps {
  readonly open: boolean;
  /** Receives the focus after the panel has closed. */
  readonly opener: RefObject<HTMLElement | null>;
  onOpenChange(open: boolean): void;
}

/** Content of the side menu: the header's items and the theme choice. */
export function SidePanel({ shell, open, opener, onOpenChange }: SidePanelProps) {
  const selected = useRef<SectionId | null>(null);

  function select(section: SectionId) {
    selected.current = section;
    onOpenChange(false);
  }

  /** Scrolls after the dialog has closed, because an open dialog traps the focus and locks scrolling. */
  function restoreFocus(event: Event) {
    // blind spot: equivalent, because the focus is moved again.
    event.preventDefault();
    if (selected.current) shell.scrollToSection(selected.current);
    else opener.current?.focus();
    selected.current = null;
  }

  // blind spot (without layout, without aria-describedby, without <Dialog.Overlay): cosmetic, or only keeps a warning of Radix away.
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} />
        <Dialog.Content className={styles.panel} aria-describedby={undefined} onCloseAutoFocus={restoreFocus}>
          <div className={styles.top}>
            <Dialog.Title className={styles.title}>Menu</Dialog.Title>
            <Dialog.Close className={styles.close} aria-label="Close menu">
              <Icon icon={X} />
            </Dialog.Close>
          </div>
          <Navigation layout="column" onSelect={select} />
          <div className={styles.bottom}>
            <ThemeChoice theme={shell.theme} />
            <SignInLinks layout="column" page={shell.page} />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
