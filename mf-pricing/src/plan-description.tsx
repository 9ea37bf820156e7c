import { Icon } from '@countersign/icon';
import { Check } from 'lucide';
import styles from './plan-description.module.css';

export function PlanDescription({ items }: { readonly items: readonly string[] }) {
  return (
    <ul className={styles.list}>
      {items.map((item) => (
        <li key={item} className={styles.item}>
          <Icon icon={Check} className={styles.icon} />
          {item}
        </li>
      ))}
    </ul>
  );
}
