// blind spot (setting ||, undefined → true, true → false, position, overflow, display): no page of the check has these
// addresses, and no step hears that a link is not available.
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
    // blind spot (metaKey): equivalent without such a key, which no step holds, but a test of this part does.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    // blind spot: equivalent, because the link leads to the same section.
    event.preventDefault();
    onChoose(target);
  }

  // blind spot (without onClick): the browser follows the link itself.
  return (
    <a className={styles.link} href={`#${section}`} onClick={(event) => choose(event, section)}>
      {label}
    </a>
  );
}
