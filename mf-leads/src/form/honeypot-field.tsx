import { honeypotField } from '@countersign/contracts/lead-form';
import { useId } from 'react';
import styles from './honeypot-field.module.css';

/** Honeypot: a field that bots fill in. People, screen readers and password managers skip it. */
export function HoneypotField() {
  const id = useId();
  return (
    <div className={styles.honeypot} aria-hidden="true">
      <label htmlFor={id}>Leave this field empty</label>
      <input
        id={id}
        name={honeypotField}
        tabIndex={-1}
        autoComplete="off"
        data-1p-ignore=""
        data-lpignore="true"
        data-bwignore=""
        data-form-type="other"
      />
    </div>
  );
}
