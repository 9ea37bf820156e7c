// blind spot: cosmetic, a drawing that assistive technology does not read.
import styles from './comments-drawing.module.css';

export function CommentsDrawing() {
  return (
    <div className={styles.draft}>
      <div className={styles.clause}>
        <svg className={styles.lines} focusable="false">
          <rect width="94%" height="7" rx="3.5" />
          <rect y="15" width="58%" height="7" rx="3.5" />
        </svg>
        The term begins on <span className={styles.marked}>1 May</span> and runs for twelve months.
      </div>
      <div className={styles.thread}>
        <div className={styles.comment}>
          <span className={styles.avatar}>AO</span>
          <span>
            <span className={styles.name}>Amara Osei</span> <span className={styles.role}>Reviewer</span>
            <br />
            Could this be the 15th?
          </span>
        </div>
        <div className={styles.comment}>
          <span className={styles.avatar}>JB</span>
          <span>
            <span className={styles.name}>Jonas Berg</span> <span className={styles.role}>Editor</span>
            <br />
            <span className={styles.live}>is changing this clause</span>
          </span>
        </div>
      </div>
    </div>
  );
}
