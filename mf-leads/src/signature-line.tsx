import styles from './signature-line.module.css';

/** Decorative: a signed signature line. */
export function SignatureLine() {
  return (
    <svg className={styles.line} viewBox="0 0 400 120" aria-hidden="true">
      <path
        className={styles.ink}
        d="M46 78c22-8 44-38 40-52-3-11-20 6-22 34-2 22 6 30 14 22 8-7 12-22 18-22 5 0-2 20 6 20 7 0 11-20 18-20 6 0-3 21 5 21 9 0 14-34 26-52 8-12 14-8 10 4-6 18-24 30-22 42 2 11 16 2 24-8 6-8 11-15 16-12 4 3-8 20 0 20 8 0 13-19 20-19 6 0-3 19 5 19 12 0 20-16 36-16 12 0 8 14 20 13 14-1 24-9 44-14"
      />
      <path className={styles.cross} d="M10 74l14 18M24 74L10 92" />
      <path className={styles.rule} d="M0 102h400" />
    </svg>
  );
}
