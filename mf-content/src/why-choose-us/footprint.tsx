// blind spot (100 → 1, without scale, without tone): cosmetic, bars beside the figures.
import { brand } from '@countersign/contracts/brand';
import { Comparison } from './comparison.tsx';
import styles from './footprint.module.css';

/** A figure with the text before and after it. */
interface Saving {
  readonly before?: string;
  readonly figure: string;
  readonly after?: string;
  /** Remaining percentage of the former amount, if the figure is a reduction. */
  readonly left?: number;
}

const savings: readonly Saving[] = [
  { before: 'Carbon footprint', figure: '-89%', left: 11 },
  { figure: '94%', after: 'less paper', left: 6 },
  { figure: '2,847', after: 'trees saved annually' },
  { figure: '12.3 tons', after: 'CO2 prevented' },
];

export function Footprint() {
  return (
    <div className={styles.panel}>
      <h3 className={styles.title}>What stays in the forest and out of the air</h3>
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
