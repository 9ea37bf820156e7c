import { Rosette } from '../document/rosette.tsx';
import { Rating } from './rating.tsx';
import type { Testimonial } from './testimonial-list.ts';
import styles from './testimonial-card.module.css';

interface TestimonialCardProps {
  readonly testimonial: Testimonial;
}

export function TestimonialCard({ testimonial }: TestimonialCardProps) {
  const { rating, quote, name, title, avatar } = testimonial;
  return (
    <figure className={styles.card}>
      <div className={styles.ornament} aria-hidden="true">
        <Rosette />
      </div>
      <Rating value={rating} />
      <blockquote className={styles.quote}>
        <p>{quote}</p>
      </blockquote>
      <figcaption className={styles.person}>
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
