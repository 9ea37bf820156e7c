// blind spot (without tone): cosmetic, how the section looks.
import { ContentSection } from '../content-section.tsx';
import { TestimonialCard } from './testimonial-card.tsx';
import { testimonials } from './testimonial-list.ts';
import styles from './testimonials.module.css';

export default function Testimonials() {
  return (
    <ContentSection
      tone="sunken"
      title="From the people who send the documents"
      introduction="One hires, one buys, one writes software. None of them waits for the post any more."
    >
      <ul className={styles.list}>
        {testimonials.map((testimonial) => (
          <li key={testimonial.name} className={styles.item}>
            <TestimonialCard testimonial={testimonial} />
          </li>
        ))}
      </ul>
    </ContentSection>
  );
}
