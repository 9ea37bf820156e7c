import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';
import type { Telemetry } from './telemetry.ts';

/** Reports each web vital of this page view once it is final. */
export function reportVitals(telemetry: Telemetry): void {
  for (const on of [onCLS, onFCP, onINP, onLCP, onTTFB]) {
    on(({ name, value }) => telemetry.vital({ name, value }));
  }
}
