import { brand } from '@countersign/contracts/brand';
import styles from './fallbacks.module.css';

export function FooterFallback() {
  return <footer className={styles.footer}>© 2024 {brand}</footer>;
}
