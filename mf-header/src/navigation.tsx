import type { SectionId } from '@countersign/contracts/shell-api';
import type { MouseEvent } from 'react';
import styles from './navigation.module.css';

const navigationItems = [
  { label: 'Features', section: 'features' },
  { label: 'Pricing', section: 'pricing' },
  { label: 'API', section: 'api' },
  { label: 'Contact', section: 'contact' },
] as const;

interface NavigationProps {
  readonly layout: 'row' | 'column';
  onSelect(section: SectionId): void;
}

export function Navigation({ layout, onSelect }: NavigationProps) {
  function select(event: MouseEvent, section: SectionId) {
    // With a modifier key, the browser opens a new tab or window.
    // blind spot (metaKey): equivalent without such a key, which no step holds, but the tests of this part do.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    // blind spot: equivalent, because the link leads to the same section.
    event.preventDefault();
    onSelect(section);
  }

  return (
    <nav aria-label="Main" className={styles[layout]}>
      <ul className={styles.list}>
        {navigationItems.map(({ label, section }) => (
          <li key={section}>
            {/* blind spot (without onClick): the browser follows the link itself, which closes the menu as well. */}
            <a className={styles.link} href={`#${section}`} onClick={(event) => select(event, section)}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
