// blind spot: cosmetic, a drawing, and no step hears whether assistive technology reads it.
import { Icon } from '@countersign/icon';
import { CalendarClock, Check, LayoutTemplate, UserRound } from 'lucide';
import styles from './template-drawing.module.css';

/** Recipients shown individually. The others are a count. */
const colleagues = [1, 2, 3, 4];

/** One scene per step: the template, its recipients, and the returned documents. */
export function TemplateDrawing() {
  return (
    <div className={styles.scenes} aria-hidden="true">
      <div className={styles.scene}>
        <div className={styles.line}>
          <Icon icon={LayoutTemplate} className={styles.icon} />
          <span className={styles.name}>Employment contract</span>
        </div>
        <div className={styles.blanks}>
          <span className={styles.blank}>Name</span>
          <span className={styles.blank}>Start date</span>
          <span className={styles.blank}>Signature</span>
        </div>
      </div>
      <div className={styles.scene}>
        <div className={styles.line}>
          {colleagues.map((colleague) => (
            <span key={colleague} className={styles.avatar}>
              <Icon icon={UserRound} className={styles.icon} />
            </span>
          ))}
          <span className={styles.more}>and 20 more</span>
        </div>
        <div className={styles.due}>
          <Icon icon={CalendarClock} className={styles.icon} />
          Due on Friday, 17:00
        </div>
      </div>
      <div className={styles.scene}>
        <div className={styles.line}>
          <span className={styles.name}>18 of 24 approved</span>
          <Icon icon={Check} className={styles.done} />
        </div>
        <svg className={styles.bar} focusable="false">
          <rect className={styles.whole} width="100%" height="100%" />
          <rect className={styles.part} width="75%" height="100%" />
        </svg>
      </div>
    </div>
  );
}
