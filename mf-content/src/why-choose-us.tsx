import { BenefitCard } from './why-choose-us/benefit-card.tsx';
import { benefits } from './why-choose-us/benefits.ts';
import { Footprint } from './why-choose-us/footprint.tsx';
import { HoursSaved } from './why-choose-us/hours-saved.tsx';
import { ContentSection } from './content-section.tsx';
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
