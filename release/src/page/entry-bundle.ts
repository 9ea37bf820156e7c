import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import type { Asset, ReleaseDocument, RemoteVersion } from '@countersign/contracts/release-document';
import { integrityOf } from '../platform/file-hash.ts';
import type { ReleaseStore } from '../store/release-store.ts';

/** One script with the entries of several parts, served at the root of the site. */
export interface EntryBundle extends Asset {
  /** Name at the root of the site, with a hash of the content. */
  readonly name: string;
  readonly content: Uint8Array;
  /** The entries in it, in their order. */
  readonly entries: readonly BundledEntry[];
}

interface BundledEntry {
  readonly url: string;
  /** Number of the line in the bundle on which the entry starts. Tells which part an error comes from. */
  readonly line: number;
}

/**
 * Bundles the entries of the parts that load at once or when the browser is idle, so that they compress together and need one
 * request. Parts with a canary load on their own, so that both groups are served alike. An entry that cannot be in a bundle
 * is left out. `undefined` if a bundle would have less than two entries.
 */
export async function bundleEntries(
  store: ReleaseStore,
  { remotes }: ReleaseDocument,
): Promise<EntryBundle | undefined> {
  const early = Object.entries(remotes).filter(([, { live, canary }]) => !canary && loadsEarly(live));
  const read = early.map(async ([name, { live }]) => {
    const file = live.entry.url.slice(`/${name}/${live.version}/`.length);
    // A lost file of one part must not stop the changes of others.
    const text = await store.readFile(name, live.version, file).catch(() => undefined);
    return text !== undefined && definesGlobal(text, live) ? [{ url: live.entry.url, text }] : [];
  });
  const sources = (await Promise.all(read)).flat();
  return sources.length < 2 ? undefined : bundle(sources);
}

function loadsEarly({ exposes, hydration }: RemoteVersion): boolean {
  return Object.keys(exposes).some((key) => ['load', 'idle'].includes(hydration?.[key] ?? 'load'));
}

/** Whether a script is complete JavaScript that assigns its container to a global, also from within a block. */
function definesGlobal(text: string, { globalName }: RemoteVersion): boolean {
  try {
    new Script(text);
    new Script(inBlock(text));
  } catch {
    return false;
  }
  return text.includes(globalName);
}

/**
 * A block instead of a function, because a variable of the entry may be its global. An entry that throws ends neither the
 * others nor the view: without its global, the part loads its own file, whose failure is reported.
 */
function inBlock(text: string): string {
  return `try{\n${text.replace(/\n\/\/# sourceMappingURL=\S*\s*$/, '')}\n}catch{}`;
}

/** Loaders read the address of their other files from the element of the running script. */
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
  const name = `entries.${createHash('sha256').update(content).digest('hex').slice(0, 16)}.js`;
  return { name, url: `/${name}`, integrity: integrityOf(content), content, entries };
}
