import { Check } from 'lucide-react';
import styles from './plan-description.module.css';

export function PlanDescription({ items }: { readonly items: readonly string[] }) {
  return (
    <ul className={styles.list}>
      {items.map((item) => (
        <li key={item} className={styles.item}>
          <Check className={styles.icon} aria-hidden="true" />
          {item}
        </li>
      ))}
    </ul>
  );
}
