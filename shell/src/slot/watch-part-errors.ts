// blind spot: no step makes a part fail, but the tests of this file do.
import type { ReportPart } from './part-event.ts';
import { partInStack, stackOf } from './part-in-stack.ts';

/**
 * Reports uncaught errors of remotes from handlers, timers and promises. Error boundaries do not catch these,
 * and the slot keeps its content.
 */
export function watchPartErrors(report: ReportPart): void {
  function reportThrown(error: unknown, place: string): void {
    const part = partInStack(place);
    if (part) report({ ...part, outcome: 'failed', cause: 'event', error });
  }
  addEventListener('error', ({ error, filename, lineno }) =>
    reportThrown(error, filename ? `${filename}:${lineno}` : stackOf(error)),
  );
  addEventListener('unhandledrejection', ({ reason }) => reportThrown(reason, stackOf(reason)));
}
