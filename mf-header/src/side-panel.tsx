import type { SectionId, SlotProps } from '@countersign/contracts/shell-api';
import * as Dialog from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import { useRef, type RefObject } from 'react';
import { Navigation } from './navigation.tsx';
import { SignInLinks } from './sign-in-links.tsx';
import { ThemeChoice } from './theme-choice.tsx';
import styles from './side-panel.module.css';

interface SidePanelProps extends SlotProps {
  readonly open: boolean;
  /** Gets the focus when the panel has closed. */
  readonly opener: RefObject<HTMLElement | null>;
  onOpenChange(open: boolean): void;
}

/** What the side menu opens: the header's items, and the choice of the theme. */
export function SidePanel({ shell, open, opener, onOpenChange }: SidePanelProps) {
  const chosen = useRef<SectionId | null>(null);

  function choose(section: SectionId) {
    chosen.current = section;
    onOpenChange(false);
  }

  /** Only now are scrolling and focus free again: before, the open menu holds both. */
  function handFocusOn(event: Event) {
    event.preventDefault();
    if (chosen.current) shell.scrollToSection(chosen.current);
    else opener.current?.focus();
    chosen.current = null;
  }

  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} />
        <Dialog.Content className={styles.panel} aria-describedby={undefined} onCloseAutoFocus={handFocusOn}>
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
