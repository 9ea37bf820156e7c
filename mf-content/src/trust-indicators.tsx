import { useId } from 'react';
import { CertificationMark } from './trust-indicators/certification-mark.tsx';
import { certifications } from './trust-indicators/certifications.ts';
import styles from './trust-indicators.module.css';

export default function TrustIndicators() {
  const titleId = useId();
  return (
    <section className={styles.section} aria-labelledby={titleId}>
      <div className={styles.inner}>
        <h2 id={titleId} className={styles.title}>
          Trusted by 50,000+ organisations
        </h2>
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
      </div>
    </section>
  );
}
