import { Icon } from '@countersign/icon';
import { GripVertical, MousePointer2, PenLine } from 'lucide';
import styles from './lifted-field.module.css';

/** A field that the pointer drags from the palette to the form. */
export function LiftedField() {
  return (
    <div className={styles.lifted}>
      <Icon icon={GripVertical} className={styles.icon} />
      <Icon icon={PenLine} className={styles.icon} />
      Signature
      <Icon icon={MousePointer2} className={styles.pointer} />
    </div>
  );
}
