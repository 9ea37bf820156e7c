import { readdir } from 'node:fs/promises';
import { basename, join, posix, relative, sep } from 'node:path';
import { federationManifestFile } from '@countersign/contracts/federation-manifest';
import { integrityOf } from '../../platform/file-hash.ts';
import { readRegularFiles } from '../../platform/regular-files.ts';
import { ReleaseError } from '../../platform/release-error.ts';
import { summarizeList } from '../../platform/summarize-list.ts';
import { readFederationManifest, type FederationManifest } from './federation-manifest.ts';

/** A build of another bundler, read from its folder. */
export interface FederationBuild {
  readonly manifest: FederationManifest;
  /** Name of the script with the container. */
  readonly entry: string;
  /** Name → text of every script and stylesheet that belongs to the container. */
  readonly code: ReadonlyMap<string, string>;
  /** Name → content of the same files. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** Name → subresource integrity of all scripts and stylesheets in the folder. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Names of all files to publish: code, and images and fonts that the code names. */
  readonly files: readonly string[];
}

const isCode = (name: string) => /\.(?:m?js|css)$/.test(name);
/** Pages, documents and archives of the bundler, which no part needs. */
const isByProduct = (name: string) => /\.(?:html|map|json|txt|zip|d\.ts)$|(?:^|\/)\./.test(name);

/**
 * Reads a build with its `mf-manifest.json`. A bundler may write files beside the container, such as a page of its own:
 * a script or stylesheet belongs to the container if the manifest or the hash of a loader names it.
 */
export async function readFederationBuild(directory: string): Promise<FederationBuild> {
  const manifest = await readFederationManifest(directory);
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((file) => file.isFile())
    .map((file) => relative(directory, join(file.parentPath, file.name)).replaceAll(sep, '/'))
    .filter((name) => !isByProduct(name))
    .sort();
  const texts = new Map<string, string>();
  const hashes = new Map<string, string>();
  const bytesOf = await readRegularFiles(directory, names.filter(isCode));
  for (const [name, bytes] of bytesOf) {
    texts.set(name, bytes.toString());
    hashes.set(name, integrityOf(bytes));
  }
  const entry = posix.join(manifest.metaData.remoteEntry.path, manifest.metaData.remoteEntry.name);
  const named = [entry, ...[...manifest.exposes, ...manifest.shared].flatMap(assetsOf)];
  const missing = named.filter((name) => !texts.has(name));
  if (missing.length > 0) {
    const them = summarizeList(missing.map((name) => JSON.stringify(name)));
    throw new ReleaseError(
      `${directory} does not hold ${them}, which its ${federationManifestFile} names. Build the part again.`,
    );
  }
  const code = new Map<string, string>();
  const add = (name: string) => {
    const text = texts.get(name);
    if (text === undefined || code.has(name)) return;
    code.set(name, text);
    for (const [other, hash] of hashes) if (text.includes(hash)) add(other);
  };
  named.forEach(add);
  const allCode = [...code.values()].join('\n');
  const assets = names.filter((name) => !isCode(name) && allCode.includes(basename(name)));
  const contents = new Map([...bytesOf].filter(([name]) => code.has(name)));
  return { manifest, entry, code, contents, hashes, files: [...code.keys(), ...assets].sort() };
}

type Exposed = Pick<FederationManifest['exposes'][number], 'assets'>;

function assetsOf({ assets: { js, css } }: Exposed): readonly string[] {
  return [...js.sync, ...js.async, ...css.sync, ...css.async];
}
