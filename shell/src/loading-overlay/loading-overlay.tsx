// blind spot: the step that leaves the page ends it, but the tests of sign-in see it.
import styles from './loading-overlay.module.css';

/** Covers the page while a navigation that the visitor started is pending. */
export function LoadingOverlay() {
  return (
    <div role="status" className={styles.overlay}>
      <span className={styles.wheel} aria-hidden="true" />
      <p className={styles.slogan}>Empowering your documents...</p>
      <p className={styles.text}>Loading...</p>
    </div>
  );
}
