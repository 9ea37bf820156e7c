import { trapField } from '@countersign/contracts/lead-form';
import { useId } from 'react';
import styles from './trap-field.module.css';

/** A field for those who fill in whatever they find. People, screen readers and password managers pass it by. */
export function TrapField() {
  const id = useId();
  return (
    <div className={styles.trap} aria-hidden="true">
      <label htmlFor={id}>Leave this field empty</label>
      <input
        id={id}
        name={trapField}
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
