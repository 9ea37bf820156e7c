import { releaseDocumentElementId } from '@countersign/contracts/data-blocks';
import { entryPolicyName } from '@countersign/contracts/file-integrity';
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

/** Script of a minimal shell, which loads each remote into its own slot. */
export const minimalShellScript = `
const release = JSON.parse(document.getElementById('${releaseDocumentElementId}').textContent);
const entries = window.trustedTypes?.createPolicy('${entryPolicyName}', { createScriptURL: (url) => url });
for (const [name, { live }] of Object.entries(release.remotes)) {
  const slot = document.createElement('div');
  slot.dataset.remote = name;
  document.body.append(slot);
  const script = document.createElement('script');
  script.src = entries ? entries.createScriptURL(live.entry.url) : live.entry.url;
  script.integrity = live.entry.integrity;
  script.onload = () => {
    try {
      slot.textContent = window[live.globalName]();
      slot.dataset.version = live.version;
    } catch (error) {
      console.error(error);
    }
  };
  document.head.append(script);
}`;

/** A shell that passes the check. */
export function compatibleShell(version: string, extra: BuiltPart = {}): BuiltPart {
  return builtShell(
    version,
    { 'shell.js': minimalShellScript, ...contractOf(givenProps), ...extra },
    { shared: { react: { range: '^19.3.0', provided: '19.3.1' } } },
  );
}

interface CompatibleRemoteOptions {
  readonly shared?: Readonly<Record<string, { range: string; provided?: string }>>;
  readonly exposes?: readonly string[];
  /** Props that the remote accepts, as a type. */
  readonly props?: string;
  readonly extra?: BuiltPart;
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
  }: CompatibleRemoteOptions = {},
): BuiltPart {
  return builtRemote(
    name,
    version,
    {
      'entry.js': `window[${JSON.stringify(`${name}@${version}`)}] = () => 'This is ${name}';`,
      'exposed.css': `.first-module-${name}-Ab12_x { color: red }`,
      ...contractOf(props),
      ...extra,
    },
    { exposes: Object.fromEntries(exposes.map((key) => [key, exposedChunk])), shared },
  );
}
