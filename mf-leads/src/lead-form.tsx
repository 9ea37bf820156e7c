import { leadPath, type LeadType } from '@countersign/contracts/lead-form';
import type { ShellApi } from '@countersign/contracts/shell-api';
import { onDemand } from '@countersign/on-demand';
import { useCallback, useEffect, useRef, useState, type FormEvent } from 'react';
import { Button } from './button.tsx';
import { restoreDraft, saveDraft } from './draft.ts';
import { FormField } from './form-field.tsx';
import { LogicBoundary } from './logic-boundary.tsx';
import type { LeadFormState } from './lead-form-logic.tsx';
import { LeadStatus } from './lead-status.tsx';
import { leadTexts } from './lead-texts.ts';
import { TrapField } from './trap-field.tsx';
import styles from './lead-form.module.css';

export interface LeadFormOptions {
  readonly type: LeadType;
  readonly shell: Pick<ShellApi, 'notify' | 'page'>;
  /** Forms with the same object know of each other's leads. */
  readonly session: object;
  /** Called when the lead is stored, with the words of the service. */
  readonly onSuccess?: (message: string) => void;
}

/** Validation, proof of work and sending. */
export const leadFormLogic = onDemand(
  async () => (await import(/* webpackChunkName: "lead-form-logic" */ './lead-form-logic.tsx')).LeadFormLogic,
);

interface LoadingLeadFormOptions extends LeadFormOptions {
  /** Loads the logic at once, not only when the visitor turns to the form. */
  readonly inUse?: boolean;
}

/**
 * A form that a browser can send without script. Its logic is loaded when the visitor turns to it, and takes over the same
 * fields with what stands in them; a form that was sent before waits for the logic.
 */
export function LeadForm({ inUse = false, ...options }: LoadingLeadFormOptions) {
  const { type } = options;
  const { title, action } = leadTexts[type];
  const [form, setForm] = useState<HTMLFormElement | null>(null);
  const [isUsed, setIsUsed] = useState(inUse);
  const [sendings, setSendings] = useState(0);
  const [logic, setLogic] = useState<LeadFormState>();
  const [logicFailed, setLogicFailed] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasSending = useRef(false);
  const isWaiting = sendings > 0 && !logic && !logicFailed;
  const isSending = logic?.isSending ?? isWaiting;

  const takeOver = useCallback(
    (element: HTMLFormElement | null) => {
      setForm(element);
      if (!element) return;
      restoreDraft(type, element);
      // The focus may have come before this code.
      if (element.contains(document.activeElement)) setIsUsed(true);
    },
    [type],
  );

  useEffect(() => {
    // A disabled button loses the focus to what surrounds it. Who has not moved on since gets it back.
    const focusFellBack = document.activeElement?.contains(button.current);
    if (wasSending.current && !isSending && focusFellBack) button.current?.focus();
    wasSending.current = isSending;
  }, [isSending]);

  function send(event: FormEvent) {
    // Without the logic, the browser sends the form, and the service answers with a page.
    if (logicFailed) return;
    event.preventDefault();
    setIsUsed(true);
    setSendings((count) => count + 1);
  }

  function doWithoutLogic() {
    setLogicFailed(true);
    setLogic(undefined);
    if (isWaiting) form?.submit();
  }

  const field = (name: 'name' | 'email' | 'company' | 'message') => ({
    field: logic?.register(name) ?? { name },
    error: logic?.errors[name],
    readOnly: isSending,
  });

  return (
    <form
      ref={takeOver}
      method="post"
      action={leadPath(type)}
      className={styles.form}
      aria-label={title}
      noValidate
      onPointerEnter={leadFormLogic.prefetch}
      onFocus={() => setIsUsed(true)}
      onInput={({ currentTarget }) => saveDraft(type, currentTarget)}
      onSubmit={send}
    >
      <div className={styles.person}>
        <FormField label="Name" autoComplete="name" {...field('name')} />
        <FormField label="Email" kind="email" autoComplete="email" {...field('email')} />
      </div>
      <FormField label="Company" optional autoComplete="organization" {...field('company')} />
      <FormField label="Message" kind="multiline" autoComplete="off" {...field('message')} />
      <TrapField />
      <div className={styles.end}>
        <Button ref={button} variant="primary" type="submit" disabled={isSending}>
          {isSending ? 'Submitting...' : action}
        </Button>
        <p className={styles.legend}>
          <span className={styles.asterisk}>*</span> Required
        </p>
      </div>
      <LeadStatus outcome={logic?.outcome} />
      {form && isUsed && !logicFailed ? (
        <LogicBoundary onFailure={doWithoutLogic}>
          <leadFormLogic.Component {...options} form={form} sendings={sendings} onState={setLogic} />
        </LogicBoundary>
      ) : null}
    </form>
  );
}
