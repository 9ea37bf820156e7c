import {
  canarySlotAttributes,
  releaseDocumentElementId,
  slotMarker,
} from '@countersign/contracts/page-markup';
import {
  documentMarkers,
  documentTemplateFile,
  type PartManifest,
} from '@countersign/contracts/part-manifest';
import { entryPolicyName } from '@countersign/contracts/file-integrity';
import { defineJourneys, see } from '@countersign/contracts/journeys';
import { fragmentFile } from '@countersign/contracts/fragment';
import type { RemoteName } from '@countersign/contracts/remotes';
import { builtRemote, builtShell, exposedChunk, type BuiltPart } from './built-part.ts';

/** A contract in which the shell passes these props to its remotes. */
export const contractOf = (props = '{ readonly shell: { notify(text: string): void } }'): BuiltPart => ({
  'contract/remotes.d.ts': `import type { ComponentType } from 'react';
interface SlotModule { readonly default: ComponentType<${props}> }
interface Slots { readonly './first': SlotModule }
export interface RemoteModules { 'mf-leads': Slots; 'mf-pricing': Slots }
`,
});

/**
 * Script of a minimal shell: calls the code of each remote with its slot, and then sets the slot's attributes, for which the check
 * waits.
 */
export const minimalShellScript = `
const release = JSON.parse(document.getElementById('${releaseDocumentElementId}').textContent);
const entries = window.trustedTypes?.createPolicy('${entryPolicyName}', { createScriptURL: (url) => url });
for (const slot of document.querySelectorAll('[data-remote]')) {
  const live = release.remotes[slot.dataset.remote]?.live;
  slot.dataset.state = live ? 'loading' : 'failed';
  if (!live) continue;
  const script = document.createElement('script');
  script.src = entries ? entries.createScriptURL(live.entry.url) : live.entry.url;
  script.integrity = live.entry.integrity;
  script.crossOrigin = 'anonymous';
  script.onload = () => {
    window[live.globalName](slot);
    Object.assign(slot.dataset, { state: 'running', version: live.version });
  };
  document.head.append(script);
}`;

const template = `<!doctype html><html lang="en"><head><title>Sample</title>${documentMarkers.policy}${documentMarkers.head}</head>
<body><main><h1>Sample</h1><p><a href="#contact">Contact</a></p>${slotMarker('mf-pricing', './first')}${slotMarker('mf-leads', './first')}<p id="contact">The end</p></main>${documentMarkers.scripts}<!--${canarySlotAttributes.together}--></body></html>`;

/** Promises of each compatible part, which the page keeps without it as well. */
const journeys = defineJourneys({ 'the page has a heading': [see('heading "Sample"')] });

/** A shell that passes the check. `extra` adds or replaces files, `manifest` entries of its `part.json`. */
export function compatibleShell(
  version: string,
  extra: BuiltPart = {},
  manifest: Partial<PartManifest> = {},
): BuiltPart {
  return builtShell(
    version,
    {
      [documentTemplateFile]: template,
      'shell.js': minimalShellScript,
      ...contractOf(),
      ...extra,
    },
    { shared: { react: { range: '^19.3.0', provided: '19.3.1' } }, journeys, ...manifest },
  );
}

const fragment = fragmentFile('./first');

/** A remote that passes the check, so its class is named like those of CSS Modules. `extra` and `manifest` can make it incompatible. */
export function compatibleRemote(
  name: RemoteName,
  version: string,
  extra: BuiltPart = {},
  manifest: Partial<PartManifest> = {},
): BuiltPart {
  return builtRemote(
    name,
    version,
    {
      [fragment]: `<p>This is ${name}</p>`,
      'entry.js': `window['${name}@${version}'] = () => undefined;`,
      'exposed.css': `.first-module-${name}-Ab12_x { color: red }`,
      ...contractOf(),
      ...extra,
    },
    {
      exposes: { './first': exposedChunk },
      fragments: { './first': fragment },
      shared: { react: { range: '^19.3.0' } },
      journeys,
      ...manifest,
    },
  );
}
