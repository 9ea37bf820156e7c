// blind spot (assignGroups, removeId, visitorId): journeys have no canary, but tests do.
import '@countersign/design-tokens/base.css';
import { releaseDocumentElementId, siteConfigElementId } from '@countersign/contracts/page-markup';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { loginAddress } from '@countersign/contracts/shell-api';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { createRoot } from 'react-dom/client';
import './page.css';
import { assignGroups, canariesOf, requestsCanary } from './canary/assign-groups.ts';
import { removeIdWithoutCanary, visitorId, visitorStorageKey } from './canary/visitor-id.ts';
import { overlaysElementId, rootElementId } from './page/element-ids.ts';
import { readDataBlock } from './document/read-data-block.ts';
import { integrityMap, provideFileIntegrity } from './federation/integrity-map.ts';
import { createRemoteLoader } from './federation/remote-loader.ts';
import { createLoginNavigation } from './loading-overlay/login-navigation.ts';
import { Overlays } from './overlays.tsx';
import { layOutSections } from './splash/lay-out-sections.ts';
import { createShellApiStore } from './page/shell-api-store.ts';
import { recoverFromDomDamage } from './recovery/recover-from-dom-damage.ts';
import { fillSlots } from './slot/fill-slots.ts';
import { shownParts } from './slot/shown-parts.ts';
import { logFailure, type ReportPart } from './slot/part-event.ts';
import { watchPartErrors } from './slot/watch-part-errors.ts';
import { createPageReporter, silentReporter } from './page-reports/page-reporter.ts';
import { reportParts } from './page-reports/report-parts.ts';
import { reportVitals } from './page-reports/report-vitals.ts';
import { createThemeStore } from './theme/theme-store.ts';
import { createToastStore } from './toast/toast-store.ts';

const root = elementWithId(rootElementId);
const config = readDataBlock<SiteConfig>(siteConfigElementId);
const release = readDataBlock<ReleaseDocument>(releaseDocumentElementId);

provideFileIntegrity(integrityMap(release));
addEventListener('keydown', hideEscapeOfInputMethod, { capture: true }); // blind spot: no step writes with an input method.

const groups = assignGroups(release, location.search, () => visitorId(visitorStorageKey));
removeIdWithoutCanary(release);
// Views in which a team looks at its canary are not reported, because they would distort the figures of visitors.
// blind spot: reports are for teams. End-to-end tests read them.
const isTeamView = requestsCanary(release, location.search);
// blind spot: reports are for teams. End-to-end tests read them.
const reporter = isTeamView ? silentReporter : createPageReporter(release.releaseId);
// blind spot: reports are for teams. End-to-end tests read them.
if (groups.shell)
  reporter.part({ part: 'shell', version: release.shell.version, group: groups.shell, measure: 'viewed' });
const countEvent = reportParts(reporter, groups);
// blind spot: reports are for teams. End-to-end tests read them.
const report: ReportPart = (event) => {
  countEvent(event);
  try {
    logFailure(event);
  } catch {
    // A part may have replaced `console`. An error in it must not end the slot.
  }
};
// blind spot: reports are for teams. End-to-end tests read them.
const reportShellError = (error: unknown) =>
  report({ remote: 'shell', version: release.shell.version, outcome: 'failed', cause: 'render', error });
// blind spot: reports are for teams. End-to-end tests read them.
watchPartErrors(report);

const toasts = createToastStore();
const loginNavigation = createLoginNavigation(loginAddress(config));
const shell = createShellApiStore({
  config,
  releaseId: release.releaseId,
  theme: createThemeStore(config.defaultTheme),
  notify: toasts.add,
  signIn: loginNavigation.start,
  shownParts: () => (isTeamView ? [] : shownParts(root, release.shell.version, groups)),
});

// Also fills the slots the first time.
recoverFromDomDamage(root, {
  loader: createRemoteLoader(release, groups),
  // Left out after damage, which one of them may have done.
  canaries: canariesOf(release, groups),
  fill: (loader) => fillSlots(root, { loader, shell, report }),
  onDamage(error, blamed) {
    for (const part of blamed) report({ ...part, outcome: 'failed', cause: 'render', error }); // blind spot: reports are for teams.
    if (blamed.length === 0) reportShellError(error); // blind spot: reports are for teams.
  },
});
layOutSections(); // blind spot: equivalent, because the end of the splash does it.
createRoot(elementWithId(overlaysElementId), { onUncaughtError: reportShellError }).render(
  <Overlays loginNavigation={loginNavigation} toasts={toasts} onError={reportShellError} />,
);
// Deferred until after `load`, because the browser buffers performance entries until an observer reads them.
// blind spot: reports are for teams. End-to-end tests read them.
addEventListener('load', () => setTimeout(() => reportVitals(reporter, groups), 0), { once: true });

/** Escape that cancels a conversion of an input method must not close the dialog, menu or toast around the field. */
// blind spot: no step writes with an input method.
function hideEscapeOfInputMethod(event: KeyboardEvent): void {
  // In Safari, the conversion has ended before the event, whose code is then 229.
  const isOfInputMethod = event.isComposing || event.keyCode === 229;
  if (event.key === 'Escape' && isOfInputMethod) event.stopImmediatePropagation();
}

function elementWithId(id: string): Element {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element "${id}".`);
  return element;
}
