import { Icon } from '@countersign/icon';
import { Check, Minus } from 'lucide';
import styles from './limit-value.module.css';

export function LimitValue({ value }: { readonly value: string | boolean }) {
  if (typeof value === 'string') return value;
  const icon = value ? Check : Minus;
  return (
    <span className={styles.answer} data-included={value}>
      <Icon icon={icon} className={styles.icon} />
      <span className={styles.text}>{value ? 'yes' : 'no'}</span>
    </span>
  );
}
