import { BenefitCard } from './benefit-card.tsx';
import { benefits } from './benefits.ts';
import { Footprint } from './footprint.tsx';
import { HoursSaved } from './hours-saved.tsx';
import { ContentSection } from '../content-section.tsx';
import styles from './why-choose-us.module.css';

export default function WhyChooseUs() {
  return (
    <ContentSection
      tone="sunken"
      title="Why Choose Us"
      introduction="The same agreement, twelve days sooner. See how it compares with email and paper, drawn to scale."
    >
      <ul className={styles.benefits}>
        {benefits.map((benefit) => (
          <BenefitCard key={benefit.title} benefit={benefit} />
        ))}
      </ul>
      <div className={styles.effects}>
        <HoursSaved />
        <Footprint />
      </div>
    </ContentSection>
  );
}
