import { Icon } from '@countersign/icon';
import { Check } from 'lucide';
import { useId } from 'react';
import { IntervalToggle } from './interval-toggle.tsx';
import { limitedPlans, limits } from './limits.ts';
import { freeMonths, type Offer, type Plan } from './plans.ts';
import styles from './plan-card.module.css';

interface PlanCardProps {
  readonly plan: Plan;
  /** URL of the login page, because plans are bought in the application. */
  readonly login: string;
}

const limitsOnCard = limits.filter((limit) => limit.onCard);
const symbols = { USD: '$' } as const;
const intervals = { month: 'per month', year: 'per year' } as const;

/** A plan. Each paid plan has its own interval, so that visitors can compare two intervals. */
export function PlanCard({ plan, login }: PlanCardProps) {
  const headingId = useId();
  const { name, badge, description, action, offers } = plan;
  const [offer, yearly] = offers;
  // blind spot (without aria-describedby, without aria-live, without aria-atomic): no step hears it, but tests look for each.
  // blind spot (without data-featured, badge → true, without <Icon): cosmetic, colours, a badge without a text, and decorations.
  return (
    <article
      // blind spot (true): cosmetic, how the card stands.
      className={yearly ? styles.paid : styles.simple}
      aria-labelledby={headingId}
      data-featured={badge && ''}
    >
      <h3 id={headingId} className={styles.name}>
        {name}
      </h3>
      {badge ? <p className={styles.badge}>{badge}</p> : null}
      {yearly ? (
        <div className={styles.offer}>
          <div aria-live="polite" aria-atomic="true">
            <PlanPrice {...offer} />
            <PlanPrice {...yearly} />
          </div>
          <IntervalToggle planName={name} freeMonths={freeMonths(offer, yearly)} />
        </div>
      ) : (
        <PlanPrice {...offer} />
      )}
      {/* The plan's name distinguishes links with the same text. */}
      <a className={styles.action} aria-describedby={headingId} href={login}>
        {action}
      </a>
      <ul className={styles.description}>
        {description.map((item) => (
          <li key={item} className={styles.item}>
            <Icon icon={Check} className={styles.icon} />
            {item}
          </li>
        ))}
      </ul>
      {yearly ? (
        <dl className={styles.limits}>
          {limitsOnCard.map(({ label, values }) => (
            <div key={label} className={styles.limit}>
              <dt className={styles.label}>{label}</dt>
              <dd className={styles.value}>{values[limitedPlans.indexOf(plan)]}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </article>
  );
}

function PlanPrice({ price, currency, interval }: Offer) {
  if (!currency || !interval)
    return (
      <p className={styles.price}>
        <span className={styles.words}>{price}</span>
      </p>
    );
  return (
    <p className={styles.price} data-interval={interval}>
      <span className={styles.amount}>{`${symbols[currency]}${price}`}</span>{' '}
      <span className={styles.terms}>{`${currency} ${intervals[interval]}`}</span>
    </p>
  );
}
