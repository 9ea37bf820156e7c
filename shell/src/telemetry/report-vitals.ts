import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';
import type { VariantAssignment } from '../canary/assign-variants.ts';
import { shownAround } from '../slot/shown-parts.ts';
import type { Telemetry } from './telemetry.ts';

/** Reports each web vital of this page view once it is final, with the version of the slot in which it happened. */
export function reportVitals(telemetry: Telemetry, groups: Partial<VariantAssignment>): void {
  const report = (name: 'CLS' | 'FCP' | 'INP' | 'LCP' | 'TTFB', value: number, node?: Node | null) => {
    const shown = shownAround(node, groups);
    telemetry.vital({ name, value, ...(shown && { shown }) });
  };
  for (const on of [onFCP, onTTFB]) on(({ name, value }) => report(name, value));
  onINP(({ name, value, entries }) => report(name, value, entries.find(({ target }) => target)?.target));
  onLCP(({ name, value, entries }) => report(name, value, entries.at(-1)?.element));
  onCLS(({ name, value, entries }) => {
    const largest = entries.reduce<LayoutShift | undefined>(
      (most, entry) => (most && most.value >= entry.value ? most : entry),
      undefined,
    );
    report(name, value, largest?.sources[0]?.node);
  });
}
