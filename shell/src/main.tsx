import { releaseDocument, releaseDocumentElementId } from '@countersign/contracts/release-document';
import { siteConfig, siteConfigElementId } from '@countersign/contracts/site-config';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './base.css';
import { comparedRemotes, groupsOf } from './canary/groups-of.ts';
import { visitorId, visitorStorageKey } from './canary/visitor-id.ts';
import { rootElementId } from './document/element-ids.ts';
import { readDataBlock } from './document/read-data-block.ts';
import { knownFiles, provideFileIntegrity } from './federation/known-files.ts';
import { provideRuntimeCore } from './federation/provide-runtime-core.ts';
import { createRemoteLoader } from './federation/remote-loader.ts';
import { applyOverride } from './override/apply-override.ts';
import { readOverride } from './override/read-override.ts';
import { scrollToSection } from './page/scroll-to-section.ts';
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
  reportToConsole(event);
  countPart(event);
};
watchPartErrors(report);
reportVitals(telemetry);

createRoot(root, {
  // A slot has already reported the error with the remote's name and version.
  onCaughtError: () => undefined,
}).render(
  <App
    config={config}
    releaseId={release.releaseId}
    loader={createRemoteLoader(release, groups, countBegun)}
    toasts={createToastStore()}
    report={report}
    override={override}
  />,
);

// Sections arrive after the browser has looked for the address's anchor.
await endSplash();
if (location.hash) scrollToSection(location.hash.slice(1));
