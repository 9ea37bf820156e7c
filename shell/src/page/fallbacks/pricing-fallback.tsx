import type { SlotProps } from '@countersign/contracts/shell-api';
import { SectionFallback } from './section-fallback.tsx';
import styles from './fallbacks.module.css';

export function PricingFallback({ shell }: SlotProps) {
  return (
    <SectionFallback id="pricing" title="Pricing">
      <p>
        The price list could not be loaded. Reload the page to see it, or compare the plans after you sign in.
      </p>
      <button type="button" className={styles.button} onClick={shell.signIn}>
        Start Free Trial
      </button>
    </SectionFallback>
  );
}
