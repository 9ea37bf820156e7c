import { Handwriting } from '../document/handwriting.tsx';
import { WaxSeal } from './wax-seal.tsx';
import styles from './audit-trail-drawing.module.css';

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
