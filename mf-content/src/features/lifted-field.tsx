import { GripVertical, MousePointer2, PenLine } from 'lucide-react';
import styles from './lifted-field.module.css';

/** A field that the pointer drags from the palette to the form. */
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
