import type { PageInfo, SectionId } from '@countersign/contracts/shell-api';
import type { MouseEvent } from 'react';
import type { FooterLink } from './footer-links.ts';
import styles from './footer-item.module.css';

interface FooterItemProps {
  readonly link: FooterLink;
  readonly page: PageInfo;
  onChoose(section: SectionId): void;
}

/**
 * A link. The stylesheet hides the hint if there is an address. The build renders each setting as a placeholder address, which the
 * composer replaces by the address or, if there is none, by `role` and `aria-disabled` (`withSettings` in
 * release/src/page/compose-slots.ts). Both places must write the same attributes, because hydration does not mend attributes.
 */
export function FooterItem({ link: { label, section, setting }, page, onChoose }: FooterItemProps) {
  if (!section) {
    const address = setting && page[setting];
    return (
      <a
        className={styles.page}
        {...(address === undefined ? { role: 'link', 'aria-disabled': true } : { href: address })}
      >
        {label} <span className={styles.hint}>(not available yet)</span>
      </a>
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
