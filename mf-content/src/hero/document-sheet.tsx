import { DocumentBar } from '../document/document-bar.tsx';
import { DocumentPage } from '../document/document-page.tsx';
import styles from './document-sheet.module.css';

export function DocumentSheet() {
  return (
    <div className={styles.sheet}>
      <DocumentBar />
      <DocumentPage />
    </div>
  );
}
