// blind spot (false, wasOpened, variant, ||, refetch, aria-, loadFailureToast): no step hears a state, or loses code, but tests do.
import { loadFailureToast } from '@countersign/contracts/shell-api';
import { onDemand } from '@countersign/on-demand';
import { startTransition, useDeferredValue, useRef, useState } from 'react';
import { Button } from '../form/button.tsx';
import { leadFormLogic } from '../form/lead-form.tsx';
import { leadTexts } from '../form/lead-texts.ts';
import type { LeadDialogOptions } from './lead-dialog-panel.tsx';

const panel = onDemand(
  async () =>
    (await import(/* webpackChunkName: "lead-dialog-panel" */ './lead-dialog-panel.tsx')).LeadDialogPanel,
);

interface LeadDialogProps extends LeadDialogOptions {
  readonly variant: 'primary' | 'secondary';
  /** Id of the element that the button leads to without code. */
  readonly formId: string;
}

/** A button that opens a dialog with a form. */
export function LeadDialog({ variant, formId, ...options }: LeadDialogProps) {
  const { type, shell, open, onOpenChange } = options;
  // The button is shown as pressed before the slower rendering of the dialog. Closing is not deferred.
  const isShown = useDeferredValue(open) && open;
  const [wasOpened, setWasOpened] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);

  function prefetch() {
    void panel.prefetch();
    void leadFormLogic.prefetch();
  }

  return (
    <>
      <Button
        ref={opener}
        variant={variant}
        plainHref={`#${formId}`}
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={() => {
          onOpenChange(true);
          startTransition(() => setWasOpened(true));
        }}
      >
        {leadTexts[type].action}
      </Button>
      {/* From the first opening on, which loads its code. */}
      {wasOpened ? (
        <panel.Component
          {...options}
          open={isShown}
          opener={opener}
          onLoadFailure={() => {
            onOpenChange(false);
            setWasOpened(false);
            shell.notify(loadFailureToast);
          }}
        />
      ) : null}
    </>
  );
}
