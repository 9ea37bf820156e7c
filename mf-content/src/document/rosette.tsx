// blind spot: cosmetic, a drawing that assistive technology does not read.
import styles from './rosette.module.css';

const turns = Array.from({ length: 30 }, (_, index) => index * 6);

/** A guilloche pattern: one ellipse, rotated about its centre. */
export function Rosette() {
  return (
    <svg className={styles.rosette} viewBox="-200 -200 400 400" focusable="false">
      <g className={styles.lines}>
        {turns.map((degrees) => (
          <ellipse key={degrees} rx="196" ry="88" transform={`rotate(${degrees})`} />
        ))}
      </g>
    </svg>
  );
}
