import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';
import type { VariantAssignment } from '../canary/assign-variants.ts';
import { shownAround } from '../slot/shown-parts.ts';
import type { PageReporter } from './page-reporter.ts';

/** Duration from which a press is slow, in milliseconds (INP "poor", web.dev/inp). */
const slowPress = 500;

/** Reports each web vital of this page view once it is final, and the version whose slot had the slowest press, if that was slow. */
export function reportVitals(reporter: PageReporter, variants: VariantAssignment): void {
  for (const on of [onCLS, onFCP, onLCP, onTTFB]) on(({ name, value }) => reporter.vital({ name, value }));
  onINP(({ name, value, entries }) => {
    reporter.vital({ name, value });
    const shown = shownAround(entries.find(({ target }) => target)?.target, variants);
    if (shown && value > slowPress) reporter.part({ ...shown, measure: 'slow' });
  });
}
