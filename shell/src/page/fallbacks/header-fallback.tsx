import { brand } from '@countersign/contracts/brand';
import type { SlotProps } from '@countersign/contracts/shell-api';
import styles from './fallbacks.module.css';

/** The header without its menu and theme toggle: navigation and sign in still work. */
export function HeaderFallback({ shell }: SlotProps) {
  return (
    <header className={styles.header}>
      <strong>{brand}</strong>
      <nav aria-label="Main" className={styles.links}>
        <a href="#features">Features</a>
        <a href="#pricing">Pricing</a>
        <a href="#api">API</a>
        <a href="#contact">Contact</a>
      </nav>
      <button type="button" className={styles.button} onClick={shell.signIn}>
        Sign In
      </button>
    </header>
  );
}
