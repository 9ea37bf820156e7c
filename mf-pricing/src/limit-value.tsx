import { Check, Minus } from 'lucide-react';
import styles from './limit-value.module.css';

export function LimitValue({ value }: { readonly value: string | boolean }) {
  if (typeof value === 'string') return value;
  const Icon = value ? Check : Minus;
  return (
    <span className={styles.answer} data-included={value}>
      <Icon className={styles.icon} aria-hidden="true" />
      <span className={styles.text}>{value ? 'yes' : 'no'}</span>
    </span>
  );
}
