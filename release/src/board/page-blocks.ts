import { documentTemplateFile } from '@countersign/contracts/part-manifest';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';
import { slotMarkers } from '@countersign/contracts/slot-markup';
import type { ReleaseStore } from '../store/release-store.ts';
import { readVersion } from '../store/stored-version.ts';
import { outlineOf, type Outline } from './outline.ts';

/** A slot of the landing page. */
export interface Block {
  /** Readable name: `./trust-indicators` → `Trust indicators`. */
  readonly name: string;
  readonly part: RemoteName;
  readonly exposed: string;
  /** The live version. `undefined` if the part is not live, so that the slot is empty. */
  readonly version: string | undefined;
  /** What its prerendered markup holds. */
  readonly outline: Outline;
}

/** Reads the slots of the live page, from top to bottom, from the template of the live shell. */
export async function readBlocks(
  store: ReleaseStore,
  { shell, remotes }: Pick<ReleaseDocument, 'shell' | 'remotes'>,
): Promise<readonly Block[]> {
  const template = await store.readFile('shell', shell.version, documentTemplateFile);
  const slots = [...template.matchAll(slotMarkers)].flatMap(([, name, exposed = '']) => {
    const part = remoteNames.find((known) => known === name);
    return part ? [{ part, exposed }] : [];
  });
  return Promise.all(
    slots.map(async ({ part, exposed }) => {
      const version = remotes[part]?.live.version;
      const markup = version === undefined ? '' : await readFragment(store, part, version, exposed);
      return { name: nameOf(exposed), part, exposed, version, outline: outlineOf(markup) };
    }),
  );
}

/** The prerendered markup of a component; empty for builds without fragments, and if it is missing in the store. */
async function readFragment(
  store: ReleaseStore,
  part: RemoteName,
  version: string,
  exposed: string,
): Promise<string> {
  try {
    const { manifest } = await readVersion(store, part, version);
    const file = manifest.fragments?.[exposed];
    return file === undefined ? '' : await store.readFile(part, version, file);
  } catch {
    // The block is shown without a sketch, because the board must not hide the rest.
    return '';
  }
}

function nameOf(exposed: string): string {
  const words = exposed.replace('./', '').replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
