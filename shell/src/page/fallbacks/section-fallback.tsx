import type { SectionId } from '@countersign/contracts/shell-api';
import { useId, type ReactNode } from 'react';
import styles from './fallbacks.module.css';

interface SectionFallbackProps {
  /** Keeps navigation working: the anchor of the section that is missing. */
  readonly id?: SectionId;
  readonly title: string;
  /** Level of the title. The page has one title of level 1. */
  readonly level?: 1 | 2;
  readonly children: ReactNode;
}

/** Stands in for a section: says what belongs here, and how to go on without it. */
export function SectionFallback({ id, title, level = 2, children }: SectionFallbackProps) {
  const titleId = useId();
  const Title = `h${level}` as const;
  return (
    <section id={id} className={styles.section} aria-labelledby={titleId}>
      <Title id={titleId}>{title}</Title>
      {children}
    </section>
  );
}
