// blind spot (without data-shape, overflow): cosmetic, the size of the card, and its corners.
import { Icon } from '@countersign/icon';
import type { Feature } from './feature-list.ts';
import { featureVisuals } from './feature-visuals.ts';
import styles from './feature-card.module.css';

export function FeatureCard({ feature: { name, title, text, parts } }: { readonly feature: Feature }) {
  const visual = featureVisuals[name];
  return (
    <li className={styles.card} data-shape={visual.shape}>
      <div className={styles.words}>
        <h3 className={styles.title}>{title}</h3>
        <p className={styles.text}>{text}</p>
        {parts && (
          <ul className={styles.parts} aria-label={title}>
            {parts.map((part) => (
              <li key={part} className={styles.part}>
                {part}
              </li>
            ))}
          </ul>
        )}
      </div>
      {/* blind spot: cosmetic, a drawing or an icon, and a test looks for what assistive technology reads. */}
      {'Drawing' in visual ? (
        <div className={styles.drawing} aria-hidden="true">
          <visual.Drawing />
        </div>
      ) : (
        <Icon icon={visual.icon} className={styles.icon} />
      )}
    </li>
  );
}
