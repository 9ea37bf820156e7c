import { Icon } from '@countersign/icon';
import { Star } from 'lucide';
import styles from './rating.module.css';

const highest = 5;

interface RatingProps {
  readonly value: number;
}

export function Rating({ value }: RatingProps) {
  return (
    <div role="img" aria-label={`Rated ${value} out of ${highest}`} className={styles.rating}>
      {Array.from({ length: value }, (_, index) => (
        <Icon icon={Star} key={index} className={styles.star} />
      ))}
    </div>
  );
}
