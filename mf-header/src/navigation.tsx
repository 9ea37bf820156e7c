import type { SectionId } from '@countersign/contracts/shell-api';
import type { MouseEvent } from 'react';
import { navigationItems } from './navigation-items.ts';
import styles from './navigation.module.css';

interface NavigationProps {
  readonly layout: 'row' | 'column';
  onChoose(section: SectionId): void;
}

export function Navigation({ layout, onChoose }: NavigationProps) {
  function choose(event: MouseEvent, section: SectionId) {
    // With a modifier key the visitor asks the browser for a new tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onChoose(section);
  }

  return (
    <nav aria-label="Main" className={styles[layout]}>
      <ul className={styles.list}>
        {navigationItems.map(({ label, section }) => (
          <li key={section}>
            <a className={styles.link} href={`#${section}`} onClick={(event) => choose(event, section)}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
