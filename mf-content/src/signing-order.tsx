import { Check, ShieldCheck } from 'lucide-react';
import { sampleSigners } from './sample-signers.ts';
import styles from './signing-order.module.css';

export function SigningOrder() {
  const signed = sampleSigners.filter(({ status }) => status === 'Signed').length;

  return (
    <div className={styles.card}>
      <div className={styles.top}>
        <span className={styles.title}>Signing order</span>
        <span className={styles.count}>
          {signed} of {sampleSigners.length}
        </span>
      </div>
      {sampleSigners.map(({ name, initials, role, status }) => (
        <div key={name} className={styles.signer} data-status={status}>
          <span className={styles.avatar}>
            {status === 'Signed' ? <Check className={styles.icon} /> : initials}
          </span>
          <span className={styles.person}>
            <span className={styles.name}>{name}</span>
            <span className={styles.role}>{role}</span>
          </span>
          <span className={styles.status}>{status}</span>
        </div>
      ))}
      <div className={styles.trail}>
        <ShieldCheck className={styles.icon} />
        Every step is in the audit trail
      </div>
    </div>
  );
}
