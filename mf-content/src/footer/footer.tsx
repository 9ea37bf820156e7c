import { brand } from '@countersign/contracts/brand';
import type { SlotProps } from '@countersign/contracts/shell-api';
import { useId } from 'react';
import { FooterItem } from './footer-item.tsx';
import { footerGroups } from './footer-links.ts';
import styles from './footer.module.css';

export default function Footer({ shell }: SlotProps) {
  const id = useId();
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <div className={styles.top}>
          <div className={styles.about}>
            <p className={styles.brand}>{brand}</p>
            <p className={styles.line}>
              Documents, forms and signatures, with a record you can show to anyone.
            </p>
          </div>
          <nav aria-label="Footer" className={styles.groups}>
            {footerGroups.map(({ title, links }, index) => (
              <div key={title}>
                <h2 id={`${id}-${index}`} className={styles.title}>
                  {title}
                </h2>
                <ul aria-labelledby={`${id}-${index}`} className={styles.list}>
                  {links.map((link) => (
                    <li key={link.label}>
                      <FooterItem
                        link={link}
                        page={shell.page}
                        onChoose={(section) => shell.scrollToSection(section)}
                      />
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </nav>
        </div>
        <p className={styles.copyright}>{`© 2024 ${brand}. All rights reserved.`}</p>
      </div>
    </footer>
  );
}
