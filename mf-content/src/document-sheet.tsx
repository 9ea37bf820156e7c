import { FileText } from 'lucide-react';
import { sampleSigners } from './sample-signers.ts';
import styles from './document-sheet.module.css';

/** Lines of text, drawn: their lengths in percent. */
const clauses = [
  { number: '1.', lines: [96, 100, 62] },
  { number: '2.', lines: [100, 92, 98, 44] },
  { number: '3.', lines: [70] },
];

const lineHeight = 15;

const signature =
  'M7 37C15 29 25 9 31 5c4-2 0 16 0 29M13 27c9-4 18-5 24-4 4 1-2 9 2 10s7-10 10-10-3 10 1 10 6-10 9-10-2 10 2 10c5 0 6-8 10-10 5-2 4 8-1 9-4 1-4-7 2-9s5 11 10 10c6-1 9-26 14-27s-10 27-4 27c5 0 5-9 9-10s-1 9 4 9c7 0 15-8 31-12M44 42c26-5 52-6 80-4';

export function DocumentSheet() {
  return (
    <div className={styles.sheet}>
      <div className={styles.bar}>
        <FileText className={styles.icon} />
        <span className={styles.name}>Supply agreement.pdf</span>
        <span className={styles.status}>In Progress</span>
      </div>
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
        <div className={styles.fields}>
          {sampleSigners.map(({ name, role, status }) => (
            <div key={name} className={styles.field}>
              {status === 'Signed' && (
                <svg className={styles.signature} viewBox="0 0 136 44" focusable="false">
                  <path d={signature} />
                </svg>
              )}
              {status === 'Pending' && <span className={styles.tag}>Sign here</span>}
              <span className={styles.caption}>{role}</span>
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
