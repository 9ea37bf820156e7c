// blind spot (without <Icon, display): cosmetic, a decoration, and where the drawing is shown.
import { Icon } from '@countersign/icon';
import { ShieldCheck } from 'lucide';
import { useId } from 'react';
import { DocumentPage } from '../document/document-page.tsx';
import { DocumentSheet } from '../document/document-sheet.tsx';
import { sampleSigners, signedCount } from '../document/sample-signers.ts';
import { SignerRow } from '../document/signer-row.tsx';
import styles from './sample-document.module.css';

/** The product's view of a sent document, with sample data. */
export function SampleDocument() {
  const titleId = useId();
  return (
    <figure className={styles.frame}>
      <figcaption className={styles.caption}>A sample document, partway through signing</figcaption>
      <DocumentSheet>
        <div className={styles.panes}>
          {/* blind spot: cosmetic, a drawing, and a test looks for what assistive technology reads. */}
          <div className={styles.page} aria-hidden="true">
            <DocumentPage arrangement="stacked" />
          </div>
          <div className={styles.progress}>
            <div className={styles.top}>
              <p id={titleId} className={styles.title}>
                Signing order
              </p>
              <p className={styles.count}>{`${signedCount} of ${sampleSigners.length} signed`}</p>
            </div>
            {/* blind spot: cosmetic, a bar. */}
            <div className={styles.segments} aria-hidden="true">
              {sampleSigners.map(({ name, status }) => (
                <span key={name} className={styles.segment} data-status={status} />
              ))}
            </div>
            <ol className={styles.signers} aria-labelledby={titleId}>
              {sampleSigners.map((signer) => (
                <SignerRow key={signer.name} signer={signer} detailed />
              ))}
            </ol>
            <p className={styles.trail}>
              <Icon icon={ShieldCheck} className={styles.icon} />
              Every step is in the audit trail
            </p>
          </div>
        </div>
      </DocumentSheet>
    </figure>
  );
}
