import { releaseDocumentElementId, siteConfigElementId } from '@countersign/contracts/data-blocks';
import { releaseDocument } from '@countersign/contracts/release-document';
import { siteConfig } from '@countersign/contracts/site-config';
import { App } from './app.tsx';
import './base.css';
import { canariesOf, comparedRemotes, groupsOf } from './canary/groups-of.ts';
import { visitorId, visitorStorageKey } from './canary/visitor-id.ts';
import { rootElementId } from './document/element-ids.ts';
import { readDataBlock } from './document/read-data-block.ts';
import { knownFiles, provideFileIntegrity } from './federation/known-files.ts';
import { provideRuntimeCore } from './federation/provide-runtime-core.ts';
import { createRemoteLoader } from './federation/remote-loader.ts';
import { applyOverride } from './override/apply-override.ts';
import { readOverride } from './override/read-override.ts';
import { scrollToSection } from './page/scroll-to-section.ts';
import { renderRecoveringRoot } from './recovery/recovering-root.tsx';
import { reportToConsole, type PartEvent } from './slot/part-event.ts';
import { watchPartErrors } from './slot/watch-part-errors.ts';
import { endSplash } from './splash/splash.ts';
import { reportBegun, reportParts } from './telemetry/report-parts.ts';
import { reportVitals } from './telemetry/report-vitals.ts';
import { createTelemetry, silentTelemetry } from './telemetry/telemetry.ts';
import { createToastStore } from './toast/toast-store.ts';

const root = document.getElementById(rootElementId);
if (!root) throw new Error(`The page has no element "${rootElementId}".`);

provideRuntimeCore();
const config = readDataBlock(siteConfigElementId, siteConfig);
const published = readDataBlock(releaseDocumentElementId, releaseDocument);
const override = await readOverride(config.overrideKey, Date.now());
const release = override ? applyOverride(published, override) : published;
provideFileIntegrity(knownFiles(release));

const visitor = () => visitorId(visitorStorageKey);
const groups = groupsOf(release, visitor);
// What a developer tries out is no visitor's view.
const telemetry = override ? silentTelemetry : createTelemetry(release.releaseId);
const countPart = reportParts(telemetry, groups);
const countBegun = reportBegun(telemetry, groups, comparedRemotes(release, visitor));
const report = (event: PartEvent) => {
  countPart(event);
  try {
    reportToConsole(event);
  } catch {
    // A part has replaced the console. An error in a boundary would empty the page.
  }
};
const reportOwn = (error: unknown) =>
  report({ remote: 'shell', version: release.shell.version, outcome: 'failed', cause: 'render', error });
watchPartErrors(report);
reportVitals(telemetry);

const { pathname } = location;
const toasts = createToastStore();
renderRecoveringRoot(root, {
  loader: createRemoteLoader(release, groups, countBegun),
  canaries: canariesOf(release, groups),
  onEmptied(error, blamed) {
    for (const part of blamed) report({ ...part, outcome: 'failed', cause: 'render', error });
    if (blamed.length === 0) reportOwn(error);
  },
  render: (loader) => (
    <App
      path={pathname}
      config={config}
      releaseId={release.releaseId}
      loader={loader}
      toasts={toasts}
      report={report}
      onError={reportOwn}
      override={override}
    />
  ),
});

// Sections arrive after the browser has looked for the address's anchor.
await endSplash();
if (location.hash) scrollToSection(location.hash.slice(1));
