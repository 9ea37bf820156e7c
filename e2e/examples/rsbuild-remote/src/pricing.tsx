import { lazy, Suspense, useId, useState } from 'react';
import type { SlotProps } from '../contract/shell-api';
import styles from './pricing.module.css';

const Limits = lazy(() => import('./limits.tsx'));

const plans = [
  { name: 'Free', monthly: 0 },
  { name: 'Team', monthly: 25 },
] as const;

export default function Pricing({ shell }: SlotProps) {
  const headingId = useId();
  const [isYearly, setIsYearly] = useState(false);
  const [showsLimits, setShowsLimits] = useState(false);
  return (
    <section id="pricing" className={styles.section} aria-labelledby={headingId}>
      <h2 id={headingId}>Plans from Rsbuild</h2>
      <label>
        <input type="checkbox" checked={isYearly} onChange={() => setIsYearly(!isYearly)} /> Pay by the year
      </label>
      <ul>
        {plans.map(({ name, monthly }) => (
          <li key={name}>
            {name}: ${isYearly ? monthly * 10 : monthly} per {isYearly ? 'year' : 'month'}
          </li>
        ))}
      </ul>
      <p>
        <a href={new URL('/login', shell.page.appHost).href}>Sign In</a>
      </p>
      <button type="button" onClick={() => setShowsLimits(true)}>
        Compare limits
      </button>
      {showsLimits && (
        <Suspense fallback={<p>Loading …</p>}>
          <Limits />
        </Suspense>
      )}
    </section>
  );
}
