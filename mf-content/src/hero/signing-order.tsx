// blind spot: cosmetic, a drawing that assistive technology does not read.
import { Icon } from '@countersign/icon';
import { ShieldCheck } from 'lucide';
import { sampleSigners, signedCount } from '../document/sample-signers.ts';
import { SignerRow } from '../document/signer-row.tsx';
import styles from './signing-order.module.css';

/** `data-before` has the text with which the animation of the illustration starts. */
export function SigningOrder() {
  return (
    <div className={styles.card}>
      <div className={styles.top}>
        <span className={styles.title}>Signing order</span>
        <span className={styles.count} data-before={`${signedCount - 1} of ${sampleSigners.length}`}>
          {`${signedCount} of ${sampleSigners.length}`}
        </span>
      </div>
      <ol className={styles.signers}>
        {sampleSigners.map((signer) => (
          <SignerRow key={signer.name} signer={signer} />
        ))}
      </ol>
      <div className={styles.trail}>
        <Icon icon={ShieldCheck} className={styles.icon} />
        Every step is in the audit trail
      </div>
    </div>
  );
}
