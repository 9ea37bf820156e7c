import type { SlotProps } from '@countersign/contracts/shell-api';
import { SectionFallback } from './section-fallback.tsx';
import styles from './fallbacks.module.css';

export function HeroFallback({ shell }: SlotProps) {
  return (
    <SectionFallback level={1} title="Documents, forms and signatures in one place">
      <p>Free 30-day trial. No credit card required.</p>
      <button type="button" className={styles.button} onClick={shell.signIn}>
        Start Free Trial
      </button>
    </SectionFallback>
  );
}
