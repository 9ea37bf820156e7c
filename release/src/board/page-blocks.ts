import { documentTemplateFile } from '@countersign/contracts/part-manifest';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';
import { slotMarkers } from '@countersign/contracts/slot-markup';
import type { ReleaseStore } from '../store/release-store.ts';

/** A slot of the landing page. */
export interface Block {
  /** Readable name: `./trust-indicators` → `Trust indicators`. */
  readonly name: string;
  readonly part: RemoteName;
  readonly exposed: string;
  /** The live version. `undefined` if the part is not live, so that the slot is empty. */
  readonly version: string | undefined;
}

/** Reads the slots of the live page, from top to bottom, from the template of the live shell. */
export async function readBlocks(
  store: ReleaseStore,
  { shell, remotes }: Pick<ReleaseDocument, 'shell' | 'remotes'>,
): Promise<readonly Block[]> {
  const template = await store.readFile('shell', shell.version, documentTemplateFile);
  return [...template.matchAll(slotMarkers)].flatMap(([, name, exposed = '']) => {
    const part = remoteNames.find((known) => known === name);
    return part ? [{ name: blockName(exposed), part, exposed, version: remotes[part]?.live.version }] : [];
  });
}

/** Readable name of a block: `./trust-indicators` → `Trust indicators`. */
export function blockName(exposed: string): string {
  const words = exposed.replace('./', '').replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
