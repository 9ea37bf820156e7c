import { releaseDocumentElementId, slotMarker } from '@countersign/contracts/page-markup';
import { documentMarkers, documentTemplateFile } from '@countersign/contracts/part-manifest';
import { entryPolicyName } from '@countersign/contracts/file-integrity';
import { defineJourneys, see, type Journeys } from '@countersign/contracts/journeys';
import { fragmentFile } from '@countersign/contracts/fragment';
import type { RemoteName } from '@countersign/contracts/remotes';
import { builtRemote, builtShell, exposedChunk, type BuiltPart } from './built-part.ts';

const contractOf = (props: string): BuiltPart => ({
  'contract/remotes.d.ts': `import type { ComponentType } from 'react';
interface SlotModule { readonly default: ComponentType<${props}> }
export interface RemoteModules { 'mf-pricing': { './first': SlotModule } }
`,
});

/** Props that the shell passes to its remotes, as a type. */
export const givenProps = '{ readonly shell: { notify(text: string): void } }';

/** Script of a minimal shell, which calls the code of each remote with its slot, or shows the text that it returns. */
export const minimalShellScript = `
const release = JSON.parse(document.getElementById('${releaseDocumentElementId}').textContent);
const entries = window.trustedTypes?.createPolicy('${entryPolicyName}', { createScriptURL: (url) => url });
for (const slot of document.querySelectorAll('[data-remote]')) {
  const live = release.remotes[slot.dataset.remote]?.live;
  if (!live) continue;
  const script = document.createElement('script');
  script.src = entries ? entries.createScriptURL(live.entry.url) : live.entry.url;
  script.integrity = live.entry.integrity;
  script.crossOrigin = 'anonymous';
  script.onload = () => {
    try {
      const text = window[live.globalName](slot);
      if (text !== undefined) slot.textContent = text;
      slot.dataset.version = live.version;
    } catch (error) {
      console.error(error);
    }
  };
  document.head.append(script);
}`;

const template = `<!doctype html><html lang="en"><head><title>Sample</title>${documentMarkers.policy}${documentMarkers.head}</head>
<body><main><h1>Sample</h1><p><a href="#contact">Contact</a></p>${slotMarker('mf-pricing', './first')}${slotMarker('mf-leads', './first')}<p id="contact">The end</p></main>${documentMarkers.scripts}</body></html>`;

/** Promises of each compatible part, which the page keeps without it as well. */
const sampleJourneys = defineJourneys({ 'the page has a heading': [see('heading "Sample"')] });

/** A shell that passes the check. */
export function compatibleShell(
  version: string,
  extra: BuiltPart = {},
  journeys: Journeys = sampleJourneys,
): BuiltPart {
  return builtShell(
    version,
    {
      [documentTemplateFile]: template,
      'shell.js': minimalShellScript,
      ...contractOf(givenProps),
      ...extra,
    },
    { shared: { react: { range: '^19.3.0', provided: '19.3.1' } }, journeys },
  );
}

interface CompatibleRemoteOptions {
  readonly shared?: Readonly<Record<string, { range: string; provided?: string }>>;
  readonly exposes?: readonly string[];
  /** Props that the remote accepts, as a type. */
  readonly props?: string;
  readonly extra?: BuiltPart;
  readonly journeys?: Journeys;
}

/** A remote that passes the check. Options can make it incompatible. */
export function compatibleRemote(
  name: RemoteName,
  version: string,
  {
    shared = { react: { range: '^19.3.0' } },
    exposes = ['./first'],
    props = givenProps,
    extra = {},
    journeys = sampleJourneys,
  }: CompatibleRemoteOptions = {},
): BuiltPart {
  return builtRemote(
    name,
    version,
    {
      ...Object.fromEntries(exposes.map((key) => [fragmentFile(key), `<p>This is ${name}</p>`])),
      'entry.js': `window[${JSON.stringify(`${name}@${version}`)}] = () => undefined;`,
      'exposed.css': `.first-module-${name}-Ab12_x { color: red }`,
      ...contractOf(props),
      ...extra,
    },
    {
      exposes: Object.fromEntries(exposes.map((key) => [key, exposedChunk])),
      fragments: Object.fromEntries(exposes.map((key) => [key, fragmentFile(key)])),
      shared,
      journeys,
    },
  );
}
