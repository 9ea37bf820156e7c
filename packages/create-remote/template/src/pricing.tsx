import type { SlotProps } from '@countersign/contracts/shell-api';
import { loginAddress } from '@countersign/contracts/shell-api';
import { useId } from 'react';
import styles from './pricing.module.css';

export default function Pricing({ shell }: SlotProps) {
  const titleId = useId();
  return (
    <section className={styles.section} aria-labelledby={titleId}>
      <div className={styles.inner}>
        <h2 id={titleId} className={styles.title}>
          Our Prices
        </h2>
        <p>
          <a href={loginAddress(shell.page)}>Sign In</a>
        </p>
      </div>
    </section>
  );
}
