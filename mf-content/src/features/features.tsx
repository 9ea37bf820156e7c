// blind spot (without tone): cosmetic, how the section looks.
import { brand } from '@countersign/contracts/brand';
import { ContentSection } from '../content-section.tsx';
import { FeatureCard } from './feature-card.tsx';
import { features } from './feature-list.ts';
import styles from './features.module.css';

export default function Features() {
  return (
    <ContentSection
      id="features"
      tone="plain"
      title="From an empty form to a record that holds"
      introduction={`${brand} covers the whole life of a document: drawing it up, sharing it, signing it, and keeping it where you can find it.`}
    >
      <ul className={styles.grid}>
        {features.map((feature) => (
          <FeatureCard key={feature.name} feature={feature} />
        ))}
      </ul>
    </ContentSection>
  );
}
