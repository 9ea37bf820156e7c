import { ContentSection } from '../content-section.tsx';
import { SampleDocument } from './sample-document.tsx';
import { signingSteps } from './signing-steps.ts';
import styles from './multi-party-signing.module.css';

export default function MultiPartySigning() {
  return (
    <ContentSection
      tone="plain"
      title="Several signatures, one after another"
      introduction="An agreement with several signers moves forward by itself: the next person is notified, and everyone can see whose turn it is."
    >
      <div className={styles.columns}>
        <SampleDocument />
        <ol className={styles.steps}>
          {signingSteps.map(({ title, text }, index) => (
            <li key={title} className={styles.step}>
              <span className={styles.number} aria-hidden="true">
                {index + 1}
              </span>
              <h3 className={styles.title}>{title}</h3>
              <p className={styles.text}>{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </ContentSection>
  );
}
