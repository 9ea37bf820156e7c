import styles from './loading-overlay.module.css';

interface LoadingOverlayProps {
  readonly text?: string;
}

/** Covers the page while a navigation that the visitor started is pending. */
export function LoadingOverlay({ text = 'Loading...' }: LoadingOverlayProps) {
  return (
    <div role="status" className={styles.overlay}>
      <span className={styles.wheel} aria-hidden="true" />
      <p className={styles.slogan}>Empowering your documents...</p>
      <p className={styles.text}>{text}</p>
    </div>
  );
}
