import type { SlotProps } from '@countersign/contracts/shell-api';
import { SectionFallback } from './section-fallback.tsx';
import styles from './fallbacks.module.css';

export function LeadsFallback({ shell }: SlotProps) {
  return (
    <SectionFallback id="contact" title="Contact">
      <p>The contact form could not be loaded. Reload the page to write to us, or start right away.</p>
      <button type="button" className={styles.button} onClick={shell.signIn}>
        Start Free Trial
      </button>
    </SectionFallback>
  );
}
