import type { MutantBuild, Mutant } from '@countersign/webpack-config/build-mutants';
import type { PartManifest } from '@countersign/contracts/part-manifest';
import type { PartName } from '@countersign/contracts/remotes';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { composeSite, type SiteReader } from '../../release/src/check/browser/site-reader.ts';
import { contentWithOnly } from '../../release/src/deploy/change.ts';
import { integrityOf } from '../../release/src/platform/integrity-of.ts';
import type { ReleaseStore } from '../../release/src/store/release-store.ts';
import { readRemote, readShell, type VersionReader } from '../../release/src/store/stored-version.ts';

declare global {
  // Set in the page by the entry of the part.
  /** Ids of the mutants whose place was reached. */
  var reachedMutants: ReadonlySet<string> | undefined;
}

/** A page in which some mutants of a part are on. */
export interface MutantPage {
  readonly site: SiteReader;
  /** Words of the markup and the styles without a mutant that it lacks. `undefined` if both are the same. */
  readonly lost: readonly string[] | undefined;
}

/** Opens the page with some mutants. */
export type OpenMutants = (mutants: readonly Mutant[]) => Promise<MutantPage>;

/** The page of published parts, one of which is built with its mutants. */
export interface MutatedRelease {
  readonly store: ReleaseStore;
  readonly manifests: readonly PartManifest[];
  readonly siteConfig: SiteConfig;
  readonly part: PartName;
  readonly render: MutantBuild['render'];
}

/** Reads the files of a store, some of a version with other texts. */
function withFiles(store: VersionReader, folder: string, texts: ReadonlyMap<string, string>): VersionReader {
  const integrities = Object.fromEntries(Array.from(texts, ([file, text]) => [file, integrityOf(text)]));
  const isOther = (part: string, version: string) => `${part}/${version}` === folder;
  const textOf = (part: string, version: string, file: string) =>
    isOther(part, version) ? texts.get(file) : undefined;
  return {
    async hashesOf(...version) {
      const hashes = await store.hashesOf(...version);
      return isOther(...version) ? { ...hashes, ...integrities } : hashes;
    },
    readFile: async (...file) => textOf(...file) ?? store.readFile(...file),
    async readBytes(...file) {
      const text = textOf(...file);
      return text === undefined ? store.readBytes(...file) : Buffer.from(text);
    },
  };
}

/**
 * Returns a function that composes the page with some mutants, as if they were another version: its entry begins with the switch, and
 * fragments and stylesheets are those of the mutants. So the check's own functions look at it. Rejects if the part does not render.
 */
export async function mutantPages(options: MutatedRelease): Promise<OpenMutants> {
  const { store, manifests, siteConfig, part, render } = options;
  const versions = Object.fromEntries(manifests.map(({ name, version }) => [name, version]));
  const release = await contentWithOnly(store, versions);
  const version = versions[part] ?? '';
  const read = (file: string) => store.readFile(part, version, file);
  const [entry = ''] = manifests.flatMap(({ name, entry: { scripts } }) => (name === part ? scripts : []));
  return async (mutants) => {
    const ids = mutants.map(({ id }) => id);
    const files = new Map<string, string>([[entry, `${switchOn(ids)}\n${await read(entry)}`]]);
    const lost: string[] = [];
    for (const [file, text] of await render(ids)) {
      const original = await read(file);
      if (text === original) continue;
      files.set(file, text);
      const kept = new Set(wordsOf(text));
      lost.push(...wordsOf(original).filter((word) => !kept.has(word)));
    }
    const mutated = withFiles(store, `${part}/${version}`, files);
    const changed =
      part === 'shell'
        ? { shell: await readShell(mutated, version) }
        : { remotes: { ...release.remotes, [part]: { live: await readRemote(mutated, part, version) } } };
    const site = await composeSite({ store: mutated, siteConfig }, { ...release, ...changed });
    return { site, lost: files.size > 1 ? lost : undefined };
  };
}

const wordsOf = (markup: string) => markup.split(/[\s<>"]+/);

/** Script that turns mutants on, and notes which ones are reached. */
function switchOn(ids: readonly string[]): string {
  return `{const reached=globalThis.reachedMutants=new Set(),on=new Set(${JSON.stringify(ids)});globalThis.isMutant=(id)=>{reached.add(id);return on.has(id)}}`;
}
