// blind spot (overlay, onPointerDown, preventDefault, <Icon): no step presses beside a dialog, or a toast over it, but tests do.
import { Icon } from '@countersign/icon';
import type { LeadType } from '@countersign/contracts/lead-form';
import * as Dialog from '@radix-ui/react-dialog';
import { X } from 'lucide';
import { useRef, type RefObject } from 'react';
import { LeadForm } from '../form/lead-form.tsx';
import type { LeadFormOptions } from '../form/lead-form-logic.tsx';
import { leadTexts } from '../form/lead-texts.ts';
import styles from './lead-dialog-panel.module.css';

export interface LeadDialogOptions extends Required<LeadFormOptions> {
  readonly type: Exclude<LeadType, 'contact'>;
  readonly open: boolean;
  onOpenChange(open: boolean): void;
}

interface DialogPanelProps extends LeadDialogOptions {
  /** Receives the focus after the dialog has closed. */
  readonly opener: RefObject<HTMLElement | null>;
}

export function LeadDialogPanel({ type, shell, open, opener, onOpenChange, onSuccess }: DialogPanelProps) {
  const overlay = useRef<HTMLDivElement>(null);
  const { title, introduction } = leadTexts[type];
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay ref={overlay} className={styles.overlay}>
          <Dialog.Content
            className={styles.dialog}
            onPointerDownOutside={(event) => {
              // Only a press on the overlay closes the dialog, so that dismissing a toast keeps the form open.
              if (event.target !== overlay.current) event.preventDefault();
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              opener.current?.focus();
            }}
          >
            <Dialog.Title className={styles.title}>{title}</Dialog.Title>
            <Dialog.Description className={styles.introduction}>{introduction}</Dialog.Description>
            <LeadForm
              type={type}
              shell={shell}
              onSuccess={(message) => {
                onOpenChange(false);
                onSuccess(message);
              }}
            />
            {/* Last in the dialog, so that the initial focus is in the form. */}
            <Dialog.Close className={styles.close} aria-label="Close">
              <Icon icon={X} className={styles.icon} />
            </Dialog.Close>
          </Dialog.Content>
        </Dialog.Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
