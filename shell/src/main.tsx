import { releaseDocumentElementId, siteConfigElementId } from '@countersign/contracts/data-blocks';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { loginAddress } from '@countersign/contracts/shell-api';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { createRoot } from 'react-dom/client';
import './base.css';
import { canariesOf, comparedRemotes, groupsOf } from './canary/groups-of.ts';
import { visitorId, visitorStorageKey } from './canary/visitor-id.ts';
import { overlaysElementId, rootElementId } from './document/element-ids.ts';
import { readDataBlock } from './document/read-data-block.ts';
import { knownFiles, provideFileIntegrity } from './federation/known-files.ts';
import { provideRuntimeCore } from './federation/provide-runtime-core.ts';
import { createRemoteLoader } from './federation/remote-loader.ts';
import { createDeparture } from './loading-overlay/departure.ts';
import { Overlays } from './overlays.tsx';
import { applyOverride } from './override/apply-override.ts';
import { takeOverrideToken } from './override/override-token.ts';
import { createShellApiStore } from './page/shell-api-store.ts';
import { keepPageWhole } from './recovery/keep-page-whole.ts';
import { fillSlots } from './slot/fill-slots.ts';
import { reportToConsole, type PartEvent } from './slot/part-event.ts';
import { watchPartErrors } from './slot/watch-part-errors.ts';
import { reportBegun, reportParts } from './telemetry/report-parts.ts';
import { createTelemetry, silentTelemetry } from './telemetry/telemetry.ts';
import { createThemeStore } from './theme/theme-store.ts';
import { createToastStore } from './toast/toast-store.ts';

const root = elementWithId(rootElementId);
const config = readDataBlock<SiteConfig>(siteConfigElementId);
const published = readDataBlock<ReleaseDocument>(releaseDocumentElementId);

provideRuntimeCore();
let files = knownFiles(published);
provideFileIntegrity(() => files);
const override = await readOverride();
const release = override ? applyOverride(published, override) : published;
files = knownFiles(release);

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
    // A part has replaced the console. That must not end the slot.
  }
};
const reportOwn = (error: unknown) =>
  report({ remote: 'shell', version: release.shell.version, outcome: 'failed', cause: 'render', error });
watchPartErrors(report);

const toasts = createToastStore();
const departure = createDeparture(loginAddress(config));
const shell = createShellApiStore({
  config,
  releaseId: release.releaseId,
  theme: createThemeStore(config.defaultTheme),
  notify: toasts.add,
  signIn: departure.depart,
});

keepPageWhole(root, {
  loader: createRemoteLoader(release, groups, countBegun),
  canaries: canariesOf(release, groups),
  fill: (loader) => fillSlots(root, { loader, shell, report }),
  onDamaged(error, blamed) {
    for (const part of blamed) report({ ...part, outcome: 'failed', cause: 'render', error });
    if (blamed.length === 0) reportOwn(error);
  },
});
createRoot(elementWithId(overlaysElementId), { onUncaughtError: reportOwn }).render(
  <Overlays departure={departure} toasts={toasts} onError={reportOwn} override={override} />,
);
// The browser keeps the entries until they are read.
addEventListener('load', () => setTimeout(() => void reportVitals(), 0), { once: true });

function elementWithId(id: string): Element {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element "${id}".`);
  return element;
}

/** Only a developer's tab loads what it takes. */
async function readOverride() {
  const token = takeOverrideToken();
  if (token === undefined || config.overrideKey === undefined) return undefined;
  const { verifyOverride } = await import('./override/verify-override.ts');
  return verifyOverride(token, config.overrideKey, Date.now());
}

async function reportVitals(): Promise<void> {
  const vitals = await import('./telemetry/report-vitals.ts');
  vitals.reportVitals(telemetry);
}
