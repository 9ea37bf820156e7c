// blind spot (without tone, without lines, without <CertificationMark, → 1, → 8): cosmetic, how the section and its marks look.
import { ClipboardCheck, Globe, LockKeyhole, UserRoundCheck, type IconNode } from 'lucide';
import { ContentStrip } from '../content-strip.tsx';
import { CertificationMark } from './certification-mark.tsx';
import styles from './trust-indicators.module.css';

interface Certification {
  readonly name: string;
  readonly meaning: string;
  readonly icon: IconNode;
  /** Number of ellipses in the guilloche ring. Each mark has another pattern. */
  readonly lines: number;
}

const certifications: readonly Certification[] = [
  { name: 'SOC 2', meaning: 'Audited security controls', icon: ClipboardCheck, lines: 9 },
  { name: 'ISO 27001', meaning: 'Information security management', icon: Globe, lines: 12 },
  { name: 'GDPR', meaning: 'Personal data protected', icon: UserRoundCheck, lines: 7 },
  { name: '256-bit SSL', meaning: 'Every connection encrypted', icon: LockKeyhole, lines: 16 },
];

interface Outcome {
  readonly figure: string;
  readonly text: string;
}

const outcomes: readonly Outcome[] = [
  { figure: '3', text: 'days to revenue, instead of 15 on average' },
  { figure: '156', text: 'hours saved per month' },
  { figure: '94%', text: 'less paper' },
];

export default function TrustIndicators() {
  return (
    <ContentStrip tone="plain" title="Trusted by 50,000+ organisations">
      <ul className={styles.list} aria-label="Certifications and protection">
        {certifications.map(({ name, meaning, icon, lines }) => (
          <li key={name} className={styles.item}>
            <CertificationMark icon={icon} lines={lines} />
            <div>
              <p className={styles.name}>{name}</p>
              <p className={styles.meaning}>{meaning}</p>
            </div>
          </li>
        ))}
      </ul>
      <ul className={styles.outcomes} aria-label="Results">
        {outcomes.map(({ figure, text }) => (
          <li key={figure} className={styles.outcome}>
            <strong className={styles.figure}>{figure}</strong> {text}
          </li>
        ))}
      </ul>
    </ContentStrip>
  );
}
