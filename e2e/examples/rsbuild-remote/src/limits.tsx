import styles from './limits.module.css';

/** A chunk of its own, with a stylesheet of its own. */
export default function Limits() {
  return <p className={styles.limits}>Free: 3 documents a month. Team: no limit.</p>;
}
