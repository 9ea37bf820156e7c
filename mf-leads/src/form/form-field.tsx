import { Icon } from '@countersign/icon';
import { CircleAlert } from 'lucide';
import { useId } from 'react';
import type { FieldError, UseFormRegisterReturn } from 'react-hook-form';
import styles from './form-field.module.css';

interface FormFieldProps {
  readonly label: string;
  /** Name, and the props that react-hook-form adds once the logic is loaded. */
  readonly field: Pick<UseFormRegisterReturn, 'name'> & Partial<UseFormRegisterReturn>;
  readonly error: FieldError | undefined;
  readonly kind?: 'text' | 'email' | 'multiline';
  readonly autoComplete: string;
  readonly optional?: boolean;
  /** Read-only: can be read, copied and focused. */
  readonly readOnly: boolean;
}

// blind spot (errorId, -error, role=, 'auto', 'text', 'email', type=, rows, <Icon): no step hears a description, or writes Arabic, but tests do.
export function FormField({
  label,
  field,
  error,
  kind = 'text',
  autoComplete,
  optional = false,
  readOnly,
}: FormFieldProps) {
  const id = useId();
  const errorId = `${id}-error`;
  const control = {
    ...field,
    id,
    autoComplete,
    readOnly,
    className: styles.control,
    'aria-required': !optional,
    'aria-invalid': Boolean(error),
    'aria-describedby': error && errorId,
    // A name or message can be in any script. Addresses are written from left to right.
    dir: kind === 'email' ? undefined : 'auto',
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {optional ? (
          <span className={styles.optional}> (optional)</span>
        ) : (
          <span className={styles.asterisk} aria-hidden="true">
            *
          </span>
        )}
      </label>
      {kind === 'multiline' ? <textarea {...control} rows={4} /> : <input {...control} type={kind} />}
      {error ? (
        <p id={errorId} role="alert" className={styles.error}>
          <Icon icon={CircleAlert} className={styles.icon} />
          <span>{error.message}</span>
        </p>
      ) : null}
    </div>
  );
}
