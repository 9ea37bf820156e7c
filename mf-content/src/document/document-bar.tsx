import { Icon } from '@countersign/icon';
import { FileText } from 'lucide';
import styles from './document-bar.module.css';

/** Title bar of the sample document: file name and progress. */
export function DocumentBar() {
  return (
    <div className={styles.bar}>
      <Icon icon={FileText} className={styles.icon} />
      <span className={styles.name}>Supply agreement.pdf</span>{' '}
      <span className={styles.status}>In Progress</span>
    </div>
  );
}
