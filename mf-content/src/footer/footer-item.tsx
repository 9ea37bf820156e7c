import type { SectionId } from '@countersign/contracts/shell-api';
import type { MouseEvent } from 'react';
import type { FooterLink } from './footer-links.ts';
import styles from './footer-item.module.css';

interface FooterItemProps {
  readonly link: FooterLink;
  onChoose(section: SectionId): void;
}

export function FooterItem({ link: { label, section }, onChoose }: FooterItemProps) {
  if (!section) {
    return (
      <span role="link" aria-disabled="true" className={styles.unavailable}>
        {label} <span className={styles.hint}>(not available yet)</span>
      </span>
    );
  }

  function choose(event: MouseEvent, target: SectionId) {
    // With a modifier key, the browser opens a new tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onChoose(target);
  }

  return (
    <a className={styles.link} href={`#${section}`} onClick={(event) => choose(event, section)}>
      {label}
    </a>
  );
}
