import { loginAddress, type SlotProps } from '@countersign/contracts/shell-api';
import { lazy, Suspense, useId, useState } from 'react';
import styles from './pricing.module.css';

const Limits = lazy(() => import('./limits.tsx'));

const plans = [
  { name: 'Free', price: '$0' },
  { name: 'Professional', price: '$19' },
];

export default function Pricing({ shell }: SlotProps) {
  const headingId = useId();
  const [showsLimits, setShowsLimits] = useState(false);
  return (
    <section id="pricing" className={styles.section} aria-labelledby={headingId}>
      <h2 id={headingId} className={styles.heading}>
        Two plans, one signature
      </h2>
      <ul className={styles.plans}>
        {plans.map(({ name, price }) => (
          <li key={name} className={styles.plan}>
            <h3>{name}</h3>
            <p>{price} per month</p>
            <a href={loginAddress(shell.page)} className={styles.action}>
              Choose {name}
            </a>
          </li>
        ))}
      </ul>
      {showsLimits ? (
        <Suspense>
          <Limits />
        </Suspense>
      ) : (
        <button type="button" className={styles.action} onClick={() => setShowsLimits(true)}>
          Show the limits
        </button>
      )}
    </section>
  );
}
