import { FileText } from 'lucide-react';
import styles from './document-bar.module.css';

/** Title bar of the sample document: file name and progress. */
export function DocumentBar() {
  return (
    <div className={styles.bar}>
      <FileText className={styles.icon} aria-hidden="true" />
      <span className={styles.name}>Supply agreement.pdf</span>
      <span className={styles.status}>In Progress</span>
    </div>
  );
}
