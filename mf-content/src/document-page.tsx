import { Handwriting } from './handwriting.tsx';
import { sampleSigners } from './sample-signers.ts';
import styles from './document-page.module.css';

/** Lines of text, drawn: their lengths in percent. */
const clauses = [
  { number: '1.', lines: [96, 100, 62] },
  { number: '2.', lines: [100, 92, 98, 44] },
  { number: '3.', lines: [70] },
];

const lineHeight = 15;

interface DocumentPageProps {
  /** Where the signatures go: as the page's width suggests, or one below the other. */
  readonly arrangement?: 'fitting' | 'stacked';
}

/** The sample document's page, with a place for each signature. */
export function DocumentPage({ arrangement = 'fitting' }: DocumentPageProps) {
  return (
    <div className={styles.page}>
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
      <div className={styles.fields} data-arrangement={arrangement}>
        {sampleSigners.map(({ name, role, status }) => (
          <div key={name} className={styles.field}>
            {status === 'Signed' && <Handwriting />}
            {status === 'Pending' && <span className={styles.tag}>Sign here</span>}
            <span className={styles.caption}>{role}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
