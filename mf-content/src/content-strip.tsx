// blind spot (without data-): cosmetic, how the section looks.
import { useId, type ReactNode } from 'react';
import styles from './content-strip.module.css';

interface ContentStripProps {
  readonly title: string;
  /** Background. */
  readonly tone: 'plain' | 'sunken';
  readonly children: ReactNode;
}

/** A low section of the page: on wide screens its heading stands beside its first list. */
export function ContentStrip({ title, tone, children }: ContentStripProps) {
  const titleId = useId();
  return (
    <section className={styles.strip} data-tone={tone} aria-labelledby={titleId}>
      <div className={styles.inner}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        {children}
      </div>
    </section>
  );
}
