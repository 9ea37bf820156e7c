// blind spot: cosmetic, a drawing that assistive technology does not read.
import { Handwriting } from './handwriting.tsx';
import { sampleSigners } from './sample-signers.ts';
import styles from './document-page.module.css';

/** `lines` are the widths of the drawn text lines, in percent. */
const clauses = [
  { number: '1.', lines: [96, 100, 62] },
  { number: '2.', lines: [100, 92, 98, 44] },
  { number: '3.', lines: [70] },
];

/** Distance of the drawn text lines, in pixels. */
const lineHeight = 15;

interface DocumentPageProps {
  /** Position of the signatures: by the width of the illustration, or in one column. */
  readonly arrangement?: 'fitting' | 'stacked';
}

/** Page of the sample document, with a field for each signature. `data-moment` is for the animation in the hero. */
export function DocumentPage({ arrangement = 'fitting' }: DocumentPageProps) {
  return (
    <div className={styles.page} data-arrangement={arrangement}>
      <div className={styles.heading}>Supply agreement</div>
      {clauses.map(({ number, lines }) => (
        <div key={number} className={styles.clause}>
          <span>{number}</span>
          <svg className={styles.lines} height={lines.length * lineHeight} focusable="false">
            {lines.map((width, index) => (
              <rect key={width} y={index * lineHeight + 3} width={`${width}%`} height="7" rx="3.5" />
            ))}
          </svg>
        </div>
      ))}
      <div className={styles.fields}>
        {sampleSigners.map(({ name, role, status }) => (
          <div key={name} className={styles.field}>
            {status === 'Signed' && <Handwriting />}
            {status === 'Pending' && (
              <span className={styles.tag} data-moment="request">
                Sign here
              </span>
            )}
            <span className={styles.caption}>{role}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
