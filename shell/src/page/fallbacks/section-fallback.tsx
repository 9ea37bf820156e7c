import type { SectionId } from '@countersign/contracts/shell-api';
import type { ReactNode } from 'react';
import styles from './fallbacks.module.css';

interface SectionFallbackProps {
  /** Keeps navigation working: the anchor of the section that is missing. */
  readonly id?: SectionId;
  readonly heading: ReactNode;
  readonly children: ReactNode;
}

/** Stands in for a section: says what belongs here, and how to go on without it. */
export function SectionFallback({ id, heading, children }: SectionFallbackProps) {
  return (
    <section id={id} className={styles.section}>
      {heading}
      {children}
    </section>
  );
}
