// blind spot: cosmetic, a drawing that assistive technology does not read.
import styles from './api-drawing.module.css';

const calls = [
  { method: 'POST', target: '/documents' },
  { method: 'PUT', target: '/documents/{id}/signers' },
  { method: 'GET', target: '/documents/{id}/audit' },
];

export function ApiDrawing() {
  return (
    <div className={styles.calls}>
      {calls.map(({ method, target }) => (
        <div key={target} className={styles.call}>
          <span className={styles.method}>{method}</span>
          <span className={styles.target}>{target}</span>
        </div>
      ))}
      <div className={styles.call} data-kind="webhook">
        <span className={styles.method}>hook</span>
        <span className={styles.target}>signer.signed</span>
      </div>
    </div>
  );
}
