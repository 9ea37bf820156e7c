import { partManifestFile, type ChunkFiles, type PartManifest } from '@countersign/contracts/part-manifest';
import webpack, { type Chunk, type Compilation, type Compiler } from 'webpack';

/** Values that the compilation does not contain. */
type ManifestInput = Pick<
  PartManifest,
  'name' | 'version' | 'globalName' | 'fragments' | 'hydration' | 'budget' | 'journeys' | 'shared'
> & {
  /** Name of the entry point that starts the part. */
  readonly entryName: string;
  /** Exposed key → name of its chunk. */
  readonly exposes: Readonly<Record<string, string>>;
};

/** Emits `part.json`: all files, the files of the entry, and the files of each exposed key. */
export function emitPartManifest(compiler: Compiler, input: ManifestInput): void {
  compiler.hooks.thisCompilation.tap(emitPartManifest.name, (compilation) => {
    const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
    compilation.hooks.processAssets.tap({ name: emitPartManifest.name, stage }, () => {
      const text = `${JSON.stringify(manifestOf(compilation, input), null, 2)}\n`;
      compilation.emitAsset(partManifestFile, new webpack.sources.RawSource(text));
    });
  });
}

function manifestOf(compilation: Compilation, { entryName, exposes, ...input }: ManifestInput): PartManifest {
  const entry = filesOf(compilation.entrypoints.get(entryName)?.chunks ?? []);
  const chunksOf = (chunk: string) => filesOf(compilation.namedChunkGroups.get(chunk)?.chunks ?? []);
  return {
    ...input,
    entry,
    exposes: Object.fromEntries(
      Object.entries(exposes).map(([key, chunk]) => [key, withScriptsOf(entry, chunksOf(chunk))]),
    ),
    files: Object.keys(compilation.assets)
      .filter((file) => !file.endsWith('.map'))
      .sort(),
  };
}

/** The files of an exposed chunk. If it has no scripts, `joinChunk` has appended its code to the entry. */
function withScriptsOf(entry: ChunkFiles, { scripts, styles }: ChunkFiles): ChunkFiles {
  return { scripts: scripts.length > 0 ? scripts : entry.scripts, styles };
}

function filesOf(chunks: readonly Chunk[]): ChunkFiles {
  const files = [...new Set(chunks.flatMap((chunk) => [...chunk.files]))];
  return {
    scripts: files.filter((file) => file.endsWith('.js')),
    styles: files.filter((file) => file.endsWith('.css')),
  };
}
