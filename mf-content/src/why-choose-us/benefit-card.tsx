import type { Benefit } from './benefits.ts';
import { Comparison } from './comparison.tsx';
import styles from './benefit-card.module.css';

interface BenefitCardProps {
  readonly benefit: Benefit;
}

export function BenefitCard({ benefit }: BenefitCardProps) {
  const { title, result, text, before, after, scale, parts } = benefit;
  return (
    <li className={styles.card}>
      <h3 className={styles.title}>{title}</h3>
      <p className={styles.result}>{result}</p>
      <Comparison before={before} after={after} scale={scale} parts={parts} />
      <p className={styles.text}>{text}</p>
    </li>
  );
}
