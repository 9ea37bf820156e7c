import { brand } from '@countersign/contracts/brand';
import { Comparison } from './comparison.tsx';
import { savings } from './savings.ts';
import styles from './footprint.module.css';

export function Footprint() {
  return (
    <div className={styles.panel}>
      <h3 className={styles.title}>What stays in the forest, and out of the air</h3>
      <ul className={styles.figures}>
        {savings.map(({ before, figure, after, left }) => (
          <li key={figure} className={styles.item}>
            <p className={styles.statement}>
              {before} <strong className={styles.figure}>{figure}</strong> {after}
            </p>
            {left !== undefined && (
              <Comparison
                before={{ label: 'On paper', value: 100, text: '100%' }}
                after={{ label: `With ${brand}`, value: left, text: `${left}%` }}
                scale={100}
                tone="success"
              />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
