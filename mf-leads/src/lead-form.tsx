import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { FormField } from './form-field.tsx';
import { leadTexts } from './lead-texts.ts';
import { LeadStatus } from './lead-status.tsx';
import { TrapField } from './trap-field.tsx';
import { useLeadForm, type LeadFormOptions } from './use-lead-form.ts';
import styles from './lead-form.module.css';

export function LeadForm(options: LeadFormOptions) {
  const { register, submit, prepare, trap, isSending, outcome, errors } = useLeadForm(options);
  const { title, action } = leadTexts[options.type];
  const button = useRef<HTMLButtonElement>(null);
  const wasSending = useRef(false);

  useEffect(() => {
    // A disabled button loses the focus to what surrounds it. Who has not moved on since gets it back.
    const focusFellBack = document.activeElement?.contains(button.current);
    if (wasSending.current && !isSending && focusFellBack) button.current?.focus();
    wasSending.current = isSending;
  }, [isSending]);

  return (
    <form
      className={styles.form}
      aria-label={title}
      noValidate
      onFocus={prepare}
      onSubmit={(event) => void submit(event)}
    >
      <div className={styles.person}>
        <FormField
          label="Name"
          autoComplete="name"
          field={register('name')}
          error={errors.name}
          readOnly={isSending}
        />
        <FormField
          label="Email"
          kind="email"
          autoComplete="email"
          field={register('email')}
          error={errors.email}
          readOnly={isSending}
        />
      </div>
      <FormField
        label="Company"
        optional
        autoComplete="organization"
        field={register('company')}
        error={errors.company}
        readOnly={isSending}
      />
      <FormField
        label="Message"
        kind="multiline"
        autoComplete="off"
        field={register('message')}
        error={errors.message}
        readOnly={isSending}
      />
      <TrapField ref={trap} />
      <div className={styles.end}>
        <Button ref={button} variant="primary" type="submit" disabled={isSending}>
          {isSending ? 'Submitting...' : action}
        </Button>
        <p className={styles.legend}>
          <span className={styles.asterisk}>*</span> Required
        </p>
      </div>
      <LeadStatus outcome={outcome} />
    </form>
  );
}
