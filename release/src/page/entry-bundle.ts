import { hash } from 'node:crypto';
import { Script } from 'node:vm';
import type { Asset, ReleaseDocument, RemoteVersion } from '@countersign/contracts/release-document';
import { integrityOf } from '../platform/integrity-of.ts';
import { LostFile } from '../store/release-store.ts';
import type { VersionReader } from '../store/stored-version.ts';

/** One script with the entries of several parts, served at the root of the site. */
export interface EntryBundle extends Asset {
  /** Name at the root of the site, with a hash of the content. `entryBundleName` of the contracts matches it in stack traces. */
  readonly name: string;
  readonly content: Uint8Array;
  /** The entries in it, in their order. */
  readonly entries: readonly BundledEntry[];
}

interface BundledEntry {
  /** URL of the entry on its own. */
  readonly url: string;
  /** Number of the line in the bundle on which the entry starts. Tells which part an error comes from. */
  readonly line: number;
}

/**
 * Bundles the entries of the remotes that load at once or when the browser is idle, so that they compress together and need one
 * request. Omits remotes with a canary, because both groups must be served alike, and entries that cannot run in a bundle.
 * `undefined` if a bundle would have less than two entries.
 */
export async function bundleEntries(
  store: VersionReader,
  { remotes }: ReleaseDocument,
): Promise<EntryBundle | undefined> {
  const early = Object.entries(remotes).filter(([, remote]) => !remote.canary && loadsEarly(remote.live));
  const read = early.map(async ([name, { live: liveVersion }]) => {
    const { url } = liveVersion.entry;
    const file = url.slice(`/${name}/${liveVersion.version}/`.length);
    const text = await store.readFile(name, liveVersion.version, file).catch((error: unknown) => {
      // The page can do without an entry in the bundle. A lost fragment or stylesheet stops every change until it is published again.
      if (error instanceof LostFile) return undefined;
      throw error;
    });
    return text !== undefined && canBeBundled(text, liveVersion) ? [{ url, text }] : [];
  });
  const sources = (await Promise.all(read)).flat();
  return sources.length < 2 ? undefined : bundle(sources);
}

function loadsEarly({ exposes, hydration }: RemoteVersion): boolean {
  return Object.keys(exposes).some((key) => ['load', 'idle'].includes(hydration?.[key] ?? 'load'));
}

/** Whether a script is valid JavaScript, on its own and in a block, and mentions the global of its container. */
function canBeBundled(text: string, { globalName }: RemoteVersion): boolean {
  try {
    new Script(text);
    new Script(inBlock(text));
  } catch {
    return false;
  }
  return text.includes(globalName);
}

/**
 * In a block, not a function, so that a `var` of the entry is still a global. It catches errors, so that the other entries
 * run: without its global, the part loads its own file, whose failure is reported.
 */
function inBlock(text: string): string {
  return `try{\n${text.replace(/\n\/\/# sourceMappingURL=\S*\s*$/, '')}\n}catch{}`;
}

/** Code that names an entry as the running script, because its loader derives the URLs of its other files from that. */
const setScript =
  '__setScript=u=>Object.defineProperty(document,"currentScript",{configurable:true,value:{tagName:"SCRIPT",src:new URL(u,location.href).href}})';

function bundle(sources: readonly { readonly url: string; readonly text: string }[]): EntryBundle {
  const entries: BundledEntry[] = [];
  let script = `{const ${setScript};\n`;
  for (const { url, text } of sources) {
    script += `__setScript(${JSON.stringify(url)});`;
    entries.push({ url, line: script.split('\n').length });
    script += `${inBlock(text)}\n`;
  }
  script += 'delete document.currentScript}\n';
  const content = Buffer.from(script);
  const name = `entries.${hash('sha256', content).slice(0, 16)}.js`;
  return { name, url: `/${name}`, integrity: integrityOf(content), content, entries };
}
