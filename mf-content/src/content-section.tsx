// blind spot (without data-, 'below', 1 → 2, id ||, without tabIndex): cosmetic, or equivalent, because the shell adds it.
import type { SectionId } from '@countersign/contracts/shell-api';
import { useId, type ReactNode } from 'react';
import styles from './content-section.module.css';

interface ContentSectionProps {
  readonly id?: SectionId;
  readonly title: string;
  readonly introduction: string;
  /** Background. Neighbouring sections alternate, which separates them without a line. */
  readonly tone: 'plain' | 'sunken';
  /** Layout on wide screens: content below the text, or beside it. */
  readonly content?: 'below' | 'beside';
  readonly children: ReactNode;
}

/** A section of the page: heading, introduction and content. */
export function ContentSection({
  id,
  title,
  introduction,
  tone,
  content = 'below',
  children,
}: ContentSectionProps) {
  const titleId = useId();
  return (
    <section
      id={id}
      tabIndex={id && -1}
      className={styles.section}
      data-tone={tone}
      aria-labelledby={titleId}
    >
      <div className={styles.inner} data-content={content}>
        <div className={styles.header}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          <p className={styles.introduction}>{introduction}</p>
        </div>
        {children}
      </div>
    </section>
  );
}
