/** APIs of newer browsers, which TypeScript does not declare yet. */
interface Document {
  readonly prerendering?: boolean;
}
interface PerformanceNavigationTiming {
  /** When a prerendered page was shown. */
  readonly activationStart?: number;
}
interface Performance {
  getEntriesByType(type: 'navigation'): PerformanceNavigationTiming[];
}
/** https://wicg.github.io/layout-instability */
interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
}
