import { releaseDocument, releaseDocumentElementId } from '@countersign/contracts/release-document';
import { siteConfig, siteConfigElementId } from '@countersign/contracts/site-config';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './base.css';
import { rootElementId } from './document/element-ids.ts';
import { readDataBlock } from './document/read-data-block.ts';
import { knownFiles, provideFileIntegrity } from './federation/known-files.ts';
import { provideRuntimeCore } from './federation/provide-runtime-core.ts';
import { createRemoteLoader } from './federation/remote-loader.ts';
import { scrollToSection } from './page/scroll-to-section.ts';
import { reportToConsole } from './slot/part-event.ts';
import { watchPartErrors } from './slot/watch-part-errors.ts';
import { endSplash } from './splash/splash.ts';
import { createToastStore } from './toast/toast-store.ts';

const root = document.getElementById(rootElementId);
if (!root) throw new Error(`The page has no element "${rootElementId}".`);

provideRuntimeCore();
const release = readDataBlock(releaseDocumentElementId, releaseDocument);
provideFileIntegrity(knownFiles(release));
watchPartErrors(reportToConsole);

createRoot(root, {
  // A slot has already reported the error with the remote's name and version.
  onCaughtError: () => undefined,
}).render(
  <App
    config={readDataBlock(siteConfigElementId, siteConfig)}
    releaseId={release.releaseId}
    loader={createRemoteLoader(release)}
    toasts={createToastStore()}
  />,
);

// Sections arrive after the browser has looked for the address's anchor.
await endSplash();
if (location.hash) scrollToSection(location.hash.slice(1));
