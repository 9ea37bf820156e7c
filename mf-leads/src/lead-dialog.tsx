import type { LeadType } from '@countersign/contracts/lead';
import type { ShellApi } from '@countersign/contracts/shell-api';
import * as Dialog from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from './button.tsx';
import { LeadForm } from './lead-form.tsx';
import { leadTexts } from './lead-texts.ts';
import styles from './lead-dialog.module.css';

interface LeadDialogProps {
  readonly type: Exclude<LeadType, 'contact'>;
  readonly variant: 'primary' | 'secondary';
  readonly shell: Pick<ShellApi, 'notify' | 'page'>;
  /** Called when the lead is stored and the dialog is closed, with the words of the service. */
  onSuccess(message: string): void;
}

/** A button, and the form that it opens above the page. */
export function LeadDialog({ type, variant, shell, onSuccess }: LeadDialogProps) {
  const [open, setOpen] = useState(false);
  const overlay = useRef<HTMLDivElement>(null);
  const { title, introduction, action } = leadTexts[type];
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger asChild>
        <Button variant={variant}>{action}</Button>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay ref={overlay} className={styles.overlay}>
          <Dialog.Content
            className={styles.dialog}
            onPointerDownOutside={(event) => {
              // Dismissing the page's notice of a failure must not take the form away as well.
              if (event.target !== overlay.current) event.preventDefault();
            }}
          >
            <Dialog.Title className={styles.title}>{title}</Dialog.Title>
            <Dialog.Description className={styles.introduction}>{introduction}</Dialog.Description>
            <LeadForm
              type={type}
              shell={shell}
              onSuccess={(message) => {
                setOpen(false);
                onSuccess(message);
              }}
            />
            {/* Last, so that the focus starts in the form. */}
            <Dialog.Close className={styles.close} aria-label="Close">
              <X className={styles.icon} aria-hidden="true" />
            </Dialog.Close>
          </Dialog.Content>
        </Dialog.Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
