// blind spot (without data-, false → true, position): cosmetic, colours, lines, and how a drawing begins.
import { Icon } from '@countersign/icon';
import { Check } from 'lucide';
import { previousStatus, type SampleSigner } from './sample-signers.ts';
import styles from './signer-row.module.css';

interface SignerRowProps {
  readonly signer: SampleSigner;
  /** Whether to show the latest event below the role. */
  readonly detailed?: boolean;
}

/** One signer in a list in signing order. `data-before` has the text with which the animation in the hero starts. */
export function SignerRow({ signer, detailed = false }: SignerRowProps) {
  const { name, initials, role, status, activity } = signer;
  const before = previousStatus[status];
  return (
    <li className={styles.signer} data-status={status}>
      {/* blind spot: cosmetic, a picture of the person. */}
      <span className={styles.avatar} aria-hidden="true" data-before={before && initials}>
        {status === 'Signed' ? (
          <Icon icon={Check} className={styles.icon} />
        ) : (
          <span className={styles.initials}>{initials}</span>
        )}
      </span>
      <span className={styles.person}>
        <span className={styles.name}>{name}</span>
        <span className={styles.role}>{role}</span>
        {detailed && <span className={styles.role}>{activity}</span>}
      </span>
      <span className={styles.status} data-before={before}>
        {status}
      </span>
    </li>
  );
}
