import type { ReactElement } from 'react';
import type { Platform } from './platforms.ts';
import styles from './platform-device.module.css';

const menu = [
  { y: 72, width: 46 },
  { y: 90, width: 34 },
  { y: 108, width: 46 },
];

/** Documents in the browser window: widths of the drawn text, and their progress. */
const documents = [
  { y: 48, name: 84, detail: 44, look: styles.signed },
  { y: 92, name: 62, detail: 52, look: styles.pending },
  { y: 136, name: 96, detail: 36, look: styles.signed },
];

interface PlatformDeviceProps {
  readonly device: Platform['device'];
}

/** Shows the web application in use, and planned apps as dashed outlines. */
export function PlatformDevice({ device }: PlatformDeviceProps) {
  return (
    <svg
      className={styles.device}
      data-device={device}
      viewBox={device === 'browser' ? '0 0 312 220' : '0 0 108 220'}
      aria-hidden="true"
      focusable="false"
    >
      {device === 'browser' && <Browser />}
      {device === 'ios' && <Phone corner={22} camera={<rect x="40" y="12" width="28" height="8" rx="4" />} />}
      {device === 'android' && <Phone corner={14} camera={<circle cx="54" cy="16" r="4" />} />}
    </svg>
  );
}

function Browser() {
  return (
    <>
      <rect className={styles.window} x="1" y="1" width="310" height="218" rx="12" />
      <path className={styles.edge} d="M1 31h310M78 31v188" />
      {[16, 28, 40].map((x) => (
        <circle key={x} className={styles.faint} cx={x} cy="16" r="3.5" />
      ))}
      <rect className={styles.sunken} x="92" y="8" width="128" height="16" rx="8" />
      <rect className={styles.ink} x="14" y="46" width="50" height="12" rx="4" />
      {menu.map(({ y, width }) => (
        <rect key={y} className={styles.faint} x="14" y={y} width={width} height="6" rx="3" />
      ))}
      {documents.map(({ y, name, detail, look }) => (
        <g key={y} transform={`translate(92 ${y})`}>
          <rect className={styles.row} width="206" height="36" rx="8" />
          <rect className={styles.faint} x="12" y="11" width={name} height="6" rx="3" />
          <rect className={styles.faint} x="12" y="21" width={detail} height="4" rx="2" />
          <rect className={look} x="150" y="11" width="44" height="14" rx="7" />
        </g>
      ))}
      <rect className={styles.button} x="230" y="186" width="68" height="20" rx="6" />
    </>
  );
}

interface PhoneProps {
  readonly corner: number;
  readonly camera: ReactElement;
}

function Phone({ corner, camera }: PhoneProps) {
  return (
    <>
      <rect className={styles.outline} x="1" y="1" width="106" height="218" rx={corner} />
      <g className={styles.hollow}>{camera}</g>
      <path
        className={styles.signature}
        d="M22 112c6-6 14-20 19-22 4-2 0 12 0 21M27 105c7-3 12-4 17-3 3 1-1 7 2 8s5-8 8-8-2 8 1 8 5-8 7-8-1 8 2 8c4 0 5-7 9-8 4-2 3 6-1 7M18 124h72"
      />
    </>
  );
}
