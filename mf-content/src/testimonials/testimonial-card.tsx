// blind spot (position, overflow, display: none): cosmetic, a decoration.
import { Icon } from '@countersign/icon';
import { Star } from 'lucide';
import { Rosette } from '../document/rosette.tsx';
import type { Testimonial } from './testimonial-list.ts';
import styles from './testimonial-card.module.css';

const highestRating = 5;

interface TestimonialCardProps {
  readonly testimonial: Testimonial;
}

export function TestimonialCard({ testimonial }: TestimonialCardProps) {
  const { rating, quote, name, title, avatar } = testimonial;
  return (
    <figure className={styles.card}>
      {/* blind spot: cosmetic, a decoration. */}
      <div className={styles.ornament} aria-hidden="true">
        <Rosette />
      </div>
      <div role="img" aria-label={`Rated ${rating} out of ${highestRating}`} className={styles.rating}>
        {Array.from({ length: rating }, (_, index) => (
          <Icon icon={Star} key={index} className={styles.star} />
        ))}
      </div>
      <blockquote className={styles.quote}>
        <p>{quote}</p>
      </blockquote>
      <figcaption className={styles.person}>
        {/* blind spot: cosmetic, a picture of the person, but a test of this part looks for it. */}
        <span className={styles.avatar} aria-hidden="true">
          {avatar}
        </span>
        <span>
          <span className={styles.name}>{name}</span>
          <span className={styles.title}>{title}</span>
        </span>
      </figcaption>
    </figure>
  );
}
