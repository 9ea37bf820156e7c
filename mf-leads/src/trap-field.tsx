import { trapField } from '@countersign/contracts/lead';
import { useId, type Ref } from 'react';
import styles from './trap-field.module.css';

interface TrapFieldProps {
  readonly ref: Ref<HTMLInputElement>;
}

/** A field for those who fill in whatever they find. People, screen readers and password managers pass it by. */
export function TrapField({ ref }: TrapFieldProps) {
  const id = useId();
  return (
    <div className={styles.trap} aria-hidden="true">
      <label htmlFor={id}>Leave this field empty</label>
      <input
        ref={ref}
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
