// blind spot (ary', variant, SignatureLine, <Icon, undefined → false, true → false): cosmetic, colours, and decorations.
// blind spot (storeFirstTouch, tabIndex, 1 → 2, headingId, next →): no step sees names or what is stored, or presses both, but tests do.
import { Icon } from '@countersign/icon';
import type { SlotProps } from '@countersign/contracts/shell-api';
import { Check } from 'lucide';
import { useEffect, useId, useState } from 'react';
import { storeFirstTouch } from './data/attribution.ts';
import { LeadDialog } from './dialog/lead-dialog.tsx';
import { LeadForm } from './form/lead-form.tsx';
import { LeadStatus } from './form/lead-status.tsx';
import { leadTexts } from './form/lead-texts.ts';
import styles from './call-to-action.module.css';

const promises = ['30-day free trial', 'No credit card required', 'Setup in 5 minutes'] as const;

const dialogs = [
  { type: 'trial', variant: 'primary' },
  { type: 'demo', variant: 'secondary' },
] as const;

export default function CallToAction({ shell }: SlotProps) {
  const headingId = useId();
  const formId = useId();
  const [thanks, setThanks] = useState<string>();
  /** One at most, also if the code of both comes late. */
  const [open, setOpen] = useState<Readonly<Record<string, boolean>>>({});
  useEffect(storeFirstTouch, []);
  return (
    <section id="contact" tabIndex={-1} className={styles.section} aria-labelledby={headingId}>
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
            {dialogs.map(({ type, variant }) => (
              <LeadDialog
                key={type}
                type={type}
                variant={variant}
                shell={shell}
                formId={formId}
                open={open[type] ?? false}
                onOpenChange={(next) => setOpen((all) => ({ ...(next ? {} : all), [type]: next }))}
                onSuccess={setThanks}
              />
            ))}
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
          <LeadForm type="contact" shell={shell} />
        </div>
      </div>
    </section>
  );
}

/** Decorative: a signed signature line. */
// blind spot: cosmetic, a decoration.
function SignatureLine() {
  return (
    <svg className={styles.signature} viewBox="0 0 400 120" aria-hidden="true">
      <path
        className={styles.ink}
        d="M46 78c22-8 44-38 40-52-3-11-20 6-22 34-2 22 6 30 14 22 8-7 12-22 18-22 5 0-2 20 6 20 7 0 11-20 18-20 6 0-3 21 5 21 9 0 14-34 26-52 8-12 14-8 10 4-6 18-24 30-22 42 2 11 16 2 24-8 6-8 11-15 16-12 4 3-8 20 0 20 8 0 13-19 20-19 6 0-3 19 5 19 12 0 20-16 36-16 12 0 8 14 20 13 14-1 24-9 44-14"
      />
      <path strokeWidth="2" d="M10 74l14 18M24 74L10 92" />
      <path strokeWidth="1.5" d="M0 102h400" />
    </svg>
  );
}
