import { remoteNames } from '@countersign/contracts/remotes';
import type { ReportPart } from './part-event.ts';

/** Files of remotes lie under their name and version, so that an address says whose code it was. */
const fileOfPart = new RegExp(`/(${remoteNames.join('|')})/(\\d+\\.\\d+\\.\\d+[0-9A-Za-z.-]*)/`);

/**
 * Reports what code of remotes throws outside of rendering: in a handler, a timer, a promise. No boundary sees that, and
 * nothing needs to be replaced, since what the remote shows is still there.
 */
export function watchPartErrors(report: ReportPart): void {
  function reportThrown(error: unknown, place: string): void {
    const [, name, version] = fileOfPart.exec(place) ?? [];
    const remote = remoteNames.find((known) => known === name);
    if (remote && version) report({ remote, version, outcome: 'failed', cause: 'event', error });
  }
  addEventListener('error', ({ error, filename }) => reportThrown(error, filename || stackOf(error)));
  addEventListener('unhandledrejection', ({ reason }) => reportThrown(reason, stackOf(reason)));
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? '') : '';
}
