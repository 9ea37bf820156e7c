import { GripVertical, MousePointer2, PenLine } from 'lucide-react';
import styles from './lifted-field.module.css';

/** A field between the palette and the form, held by the pointer. */
export function LiftedField() {
  return (
    <div className={styles.lifted}>
      <GripVertical className={styles.icon} />
      <PenLine className={styles.icon} />
      Signature
      <MousePointer2 className={styles.pointer} />
    </div>
  );
}
