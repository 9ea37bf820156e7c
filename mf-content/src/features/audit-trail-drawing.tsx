// blind spot: cosmetic, a drawing that assistive technology does not read.
import { Handwriting } from '../document/handwriting.tsx';
import styles from './audit-trail-drawing.module.css';
import sealStyles from './wax-seal.module.css';

const entries = [
  { time: '09:02', event: 'Uploaded', person: 'Priya Raman' },
  { time: '09:05', event: 'Link sent', person: 'to Amara Osei' },
  { time: '10:41', event: 'Opened', person: 'Amara Osei' },
  { time: '10:47', event: 'Signed', person: 'Amara Osei' },
  { time: '10:47', event: 'Link sent', person: 'to Jonas Berg' },
];

export function AuditTrailDrawing() {
  return (
    <div className={styles.sheet}>
      <div className={styles.signature}>
        <Handwriting />
      </div>
      <div className={styles.signer}>Amara Osei, Supplier</div>
      {entries.map(({ time, event, person }) => (
        <div key={`${time} ${event}`} className={styles.entry} data-event={event}>
          <span className={styles.time}>{time}</span>
          <span className={styles.event}>{event}</span>
          <span className={styles.person}>{person}</span>
        </div>
      ))}
      <div className={styles.print}>SHA-256 9f3a 1c07</div>
      <div className={styles.seal}>
        <WaxSeal />
      </div>
    </div>
  );
}

/** A wax seal with an irregular outline. */
const wax =
  'M77 40C77 44 75 50 73 54C71 58 67 61 64 64C61 67 58 72 54 73C50 74 45 73 40 72C35 72 31 74 27 72C22 71 17 69 14 66C10 63 8 58 7 54C6 49 7 44 7 40C7 36 7 31 8 27C10 23 12 18 15 15C18 12 23 10 27 8C31 6 36 3 40 2C44 2 49 5 53 8C57 10 60 14 63 17C66 20 69 23 71 27C74 31 77 36 77 40Z';

function WaxSeal() {
  return (
    <svg className={sealStyles.seal} viewBox="0 0 80 80" focusable="false">
      <path className={sealStyles.wax} d={wax} />
      <circle className={sealStyles.rim} cx="40" cy="40" r="25" />
      <path className={sealStyles.mark} d="M25 45c6-7 11-19 15-20 4 0-2 16 0 20s6-9 9-9-2 8 1 9 4-3 6-5" />
    </svg>
  );
}
