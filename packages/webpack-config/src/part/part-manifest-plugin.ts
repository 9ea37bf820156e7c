import { partManifestFile, type ChunkFiles, type PartManifest } from '@countersign/contracts/part-manifest';
import webpack, { type Chunk, type Compilation, type Compiler } from 'webpack';
import { heaviestSources, type MappedFile } from './heaviest-sources.ts';

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

/**
 * Emits `part.json`: all files, the files of the entry, and the files of each exposed key.
 */
export class PartManifestPlugin {
  readonly #input: ManifestInput;

  constructor(input: ManifestInput) {
    this.#input = input;
  }

  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap(PartManifestPlugin.name, (compilation) => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: PartManifestPlugin.name, stage }, () => {
        emitJson(compilation, partManifestFile, this.#manifest(compilation));
      });
    });
  }

  #manifest(compilation: Compilation): PartManifest {
    const { name, version, globalName, entryName, fragments, hydration, budget, journeys, shared } =
      this.#input;
    const entry = filesOf(compilation.entrypoints.get(entryName)?.chunks ?? []);
    const exposes = Object.fromEntries(
      Object.entries(this.#input.exposes).map(([key, chunk]) => [
        key,
        withScriptsOf(entry, filesOf(compilation.namedChunkGroups.get(chunk)?.chunks ?? [])),
      ]),
    );
    const loaded = [entry, ...Object.values(exposes)];
    const heaviest = (files: readonly string[]) => heaviestSources(mappedFiles(compilation, files));
    return {
      name,
      version,
      ...(globalName === undefined ? {} : { globalName }),
      entry,
      exposes,
      ...(fragments === undefined ? {} : { fragments }),
      ...(hydration === undefined ? {} : { hydration }),
      ...(budget === undefined ? {} : { budget }),
      heaviestSources: {
        style: heaviest(loaded.flatMap(({ styles }) => styles)),
        script: heaviest(loaded.flatMap(({ scripts }) => scripts)),
      },
      ...(journeys === undefined ? {} : { journeys }),
      ...(shared === undefined ? {} : { shared }),
      files: Object.keys(compilation.assets)
        .filter((file) => !file.endsWith('.map'))
        .sort(),
    };
  }
}

function emitJson(compilation: Compilation, file: string, value: object): void {
  compilation.emitAsset(file, new webpack.sources.RawSource(`${JSON.stringify(value, null, 2)}\n`));
}

/** The files of an exposed chunk. If it has no scripts, `JoinChunkPlugin` has appended its code to the entry. */
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

/** Files with a source map, without duplicates. */
function mappedFiles(compilation: Compilation, files: readonly string[]): MappedFile[] {
  return [...new Set(files)].flatMap((file) => {
    const [text, map] = [file, `${file}.map`].map((name) =>
      compilation.getAsset(name)?.source.source().toString(),
    );
    return text === undefined || map === undefined ? [] : [{ text, map }];
  });
}
