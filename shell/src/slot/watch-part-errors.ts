import type { ReportPart } from './part-event.ts';
import { partOf, stackOf } from './part-of.ts';

/**
 * Reports what code of remotes throws outside of rendering: in a handler, a timer, a promise. No boundary sees that, and
 * nothing needs to be replaced, since what the remote shows is still there.
 */
export function watchPartErrors(report: ReportPart): void {
  function reportThrown(error: unknown, place: string): void {
    const part = partOf(place);
    if (part) report({ ...part, outcome: 'failed', cause: 'event', error });
  }
  addEventListener('error', ({ error, filename }) => reportThrown(error, filename || stackOf(error)));
  addEventListener('unhandledrejection', ({ reason }) => reportThrown(reason, stackOf(reason)));
}
