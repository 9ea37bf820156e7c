// blind spot (8 → 9, hours /, display): cosmetic, how many squares there are, and how they stand.
import styles from './hours-saved.module.css';

const hours = 156;
const hoursOfADay = 8;
const days = Array.from({ length: Math.ceil(hours / hoursOfADay) }, (_, index) => index);

/** The hours as working days: one square per day, the last one partly filled. */
export function HoursSaved() {
  return (
    <div className={styles.card}>
      <h3 className={styles.figure}>
        <span className={styles.number}>{hours}</span> hours saved per month
      </h3>
      <p className={styles.text}>
        That is nineteen and a half working days no longer spent on printing, posting and chasing signatures.
      </p>
      {/* blind spot: cosmetic, the squares. */}
      <div className={styles.days} aria-hidden="true">
        {days.map((day) => (
          <svg key={day} className={styles.day} focusable="false">
            <rect className={styles.empty} width="100%" height="100%" />
            <rect
              className={styles.saved}
              width={`${Math.min(1, hours / hoursOfADay - day) * 100}%`}
              height="100%"
            />
          </svg>
        ))}
      </div>
    </div>
  );
}
