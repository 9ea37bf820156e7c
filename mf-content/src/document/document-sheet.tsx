// blind spot (without <Icon, overflow): cosmetic, a decoration, and corners.
import { Icon } from '@countersign/icon';
import { FileText } from 'lucide';
import type { ReactNode } from 'react';
import styles from './document-sheet.module.css';

interface DocumentSheetProps {
  readonly children: ReactNode;
}

/** The sample document, below a bar with its file name and progress. */
export function DocumentSheet({ children }: DocumentSheetProps) {
  return (
    <div className={styles.sheet}>
      <div className={styles.bar}>
        <Icon icon={FileText} className={styles.icon} />
        <span className={styles.name}>Supply agreement.pdf</span>{' '}
        <span className={styles.status}>In Progress</span>
      </div>
      {children}
    </div>
  );
}
