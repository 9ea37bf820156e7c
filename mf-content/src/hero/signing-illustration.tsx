// blind spot: cosmetic, a drawing, and no step hears whether assistive technology reads it.
import { DocumentPage } from '../document/document-page.tsx';
import { DocumentSheet } from '../document/document-sheet.tsx';
import { Rosette } from '../document/rosette.tsx';
import { SigningOrder } from './signing-order.tsx';
import styles from './signing-illustration.module.css';

/** A partly signed document. Decorative, because the text beside it says the same. The stylesheet shows once how it came about. */
export function SigningIllustration() {
  return (
    <div className={styles.frame} aria-hidden="true">
      <Rosette />
      <div className={styles.scene}>
        <div className={styles.sheet}>
          <DocumentSheet>
            <DocumentPage />
          </DocumentSheet>
        </div>
        <div className={styles.order}>
          <SigningOrder />
        </div>
      </div>
    </div>
  );
}
