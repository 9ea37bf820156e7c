import { Icon } from '@countersign/icon';
import type { SlotProps } from '@countersign/contracts/shell-api';
import { Check } from 'lucide';
import { useEffect, useId, useState } from 'react';
import { storeFirstTouch } from './data/attribution.ts';
import { LeadDialog } from './dialog/lead-dialog.tsx';
import { LeadForm } from './form/lead-form.tsx';
import { LeadStatus } from './form/lead-status.tsx';
import { leadTexts } from './form/lead-texts.ts';
import { SignatureLine } from './signature-line.tsx';
import styles from './call-to-action.module.css';

const promises = ['30-day free trial', 'No credit card required', 'Setup in 5 minutes'] as const;

export default function CallToAction({ shell }: SlotProps) {
  const headingId = useId();
  const formId = useId();
  // Its identity makes the three forms share a query client.
  const [session] = useState(() => ({}));
  const [thanks, setThanks] = useState<string>();
  useEffect(storeFirstTouch, []);
  return (
    <section id="contact" className={styles.section} aria-labelledby={headingId}>
      <div className={styles.panel}>
        <div className={styles.pitch}>
          <h2 id={headingId} className={styles.heading}>
            Have your first document signed today
          </h2>
          <p className={styles.introduction}>
            Upload it, name who signs and in which order, and watch the signatures come in.
          </p>
          <ul className={styles.promises}>
            {promises.map((promise) => (
              <li key={promise} className={styles.promise}>
                <Icon icon={Check} className={styles.check} />
                {promise}
              </li>
            ))}
          </ul>
          <div className={styles.actions}>
            <LeadDialog
              type="trial"
              variant="primary"
              shell={shell}
              session={session}
              formId={formId}
              onSuccess={setThanks}
            />
            <LeadDialog
              type="demo"
              variant="secondary"
              shell={shell}
              session={session}
              formId={formId}
              onSuccess={setThanks}
            />
          </div>
          <LeadStatus outcome={thanks === undefined ? undefined : { stored: true, message: thanks }} />
          <div className={styles.decoration}>
            <SignatureLine />
          </div>
        </div>
        <div className={styles.contact}>
          <h3 id={formId} className={styles.title}>
            {leadTexts.contact.title}
          </h3>
          <p className={styles.note}>{leadTexts.contact.introduction}</p>
          <LeadForm type="contact" shell={shell} session={session} />
        </div>
      </div>
    </section>
  );
}
