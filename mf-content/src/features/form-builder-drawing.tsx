// blind spot: cosmetic, a drawing that assistive technology does not read.
import { Icon } from '@countersign/icon';
import { Calendar, GripVertical, MousePointer2, PenLine, Split, Type, Upload } from 'lucide';
import { sampleSigners } from '../document/sample-signers.ts';
import styles from './form-builder-drawing.module.css';
import liftedStyles from './lifted-field.module.css';

const palette = [
  { icon: Type, label: 'Text' },
  { icon: Calendar, label: 'Date' },
  { icon: Upload, label: 'File' },
  { icon: Split, label: 'Condition' },
];

/** A form in the editor: one field depends on an answer, another is being dragged. */
export function FormBuilderDrawing() {
  return (
    <div className={styles.builder}>
      <div className={styles.palette}>
        {palette.map(({ icon, label }) => (
          <div key={label} className={styles.kind}>
            <Icon icon={icon} className={styles.icon} />
            {label}
          </div>
        ))}
      </div>
      <div className={styles.form}>
        <div className={styles.field}>
          <span className={styles.label}>Name</span>
          <span className={styles.input}>{sampleSigners[1]?.name}</span>
        </div>
        <div className={styles.field}>
          <span className={styles.label}>Joining us as</span>
          <span className={styles.choices}>
            <span className={styles.choice}>Employee</span>
            <span className={styles.chosen}>Contractor</span>
          </span>
        </div>
        <div className={styles.conditional}>
          <span className={styles.label}>Company number</span>
          <span className={styles.rule}>If contractor</span>
          <span className={styles.input} />
        </div>
        <div className={styles.gap}>
          <LiftedField />
        </div>
      </div>
    </div>
  );
}

/** A field that the pointer drags from the palette to the form. */
function LiftedField() {
  return (
    <div className={liftedStyles.lifted}>
      <Icon icon={GripVertical} className={liftedStyles.icon} />
      <Icon icon={PenLine} className={liftedStyles.icon} />
      Signature
      <Icon icon={MousePointer2} className={liftedStyles.pointer} />
    </div>
  );
}
