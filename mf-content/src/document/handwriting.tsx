// blind spot: cosmetic, a drawing that assistive technology does not read.
import styles from './handwriting.module.css';

/** In the order in which a hand writes them. */
const strokes = [
  'M7 37C15 29 25 9 31 5c4-2 0 16 0 29',
  'M13 27c9-4 18-5 24-4 4 1-2 9 2 10s7-10 10-10-3 10 1 10 6-10 9-10-2 10 2 10c5 0 6-8 10-10 5-2 4 8-1 9-4 1-4-7 2-9s5 11 10 10c6-1 9-26 14-27s-10 27-4 27c5 0 5-9 9-10s-1 9 4 9c7 0 15-8 31-12',
  'M44 42c26-5 52-6 80-4',
];

/** Signature of the first sample signer. Fills its container. `data-moment` is for the animation in the hero. */
export function Handwriting() {
  return (
    <svg className={styles.handwriting} viewBox="0 0 136 44" focusable="false" data-moment="writing">
      {strokes.map((stroke) => (
        <path key={stroke} d={stroke} pathLength="1" />
      ))}
    </svg>
  );
}
