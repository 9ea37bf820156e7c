// blind spot (without tone, without scale, without parts): cosmetic, how the section looks.
import { benefits, type Benefit } from './benefits.ts';
import { Comparison } from './comparison.tsx';
import { Footprint } from './footprint.tsx';
import { HoursSaved } from './hours-saved.tsx';
import { ContentSection } from '../content-section.tsx';
import cardStyles from './benefit-card.module.css';
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

interface BenefitCardProps {
  readonly benefit: Benefit;
}

function BenefitCard({ benefit }: BenefitCardProps) {
  const { title, result, text, before, after, scale, parts } = benefit;
  return (
    <li className={cardStyles.card}>
      <h3 className={cardStyles.title}>{title}</h3>
      <p className={cardStyles.result}>{result}</p>
      <Comparison before={before} after={after} scale={scale} parts={parts} />
      <p className={cardStyles.text}>{text}</p>
    </li>
  );
}
