import webpack, { type Chunk, type Compilation, type Compiler } from 'webpack';

interface JoinedChunks {
  /** Name of the entry point whose file takes the chunk in. */
  readonly entryName: string;
  /** Name of the chunk. It must be loaded on demand and have no other parents. */
  readonly chunkName: string;
}

/**
 * Puts the script of a chunk behind that of the entry, into one file. The chunk registers itself when the file runs, and
 * the loader finds it there: what is needed together takes one request, and compresses better. Styles stay a file.
 */
export class JoinChunkPlugin {
  readonly #names: JoinedChunks;

  constructor(names: JoinedChunks) {
    this.#names = names;
  }

  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap(JoinChunkPlugin.name, (compilation) => {
      // Before scripts are minified and their names are made from their contents.
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_COUNT;
      compilation.hooks.processAssets.tap({ name: JoinChunkPlugin.name, stage }, () =>
        this.#join(compilation),
      );
    });
  }

  #join(compilation: Compilation): void {
    const entry = compilation.entrypoints.get(this.#names.entryName)?.getEntrypointChunk();
    const [chunk] = compilation.namedChunkGroups.get(this.#names.chunkName)?.chunks ?? [];
    const [entryFile, chunkFile] = [scriptOf(entry), scriptOf(chunk)];
    if (!entryFile || !chunkFile) return;
    const source = compilation.getAsset(chunkFile)?.source ?? '';
    compilation.updateAsset(entryFile, (before) => new webpack.sources.ConcatSource(before, '\n', source));
    compilation.deleteAsset(chunkFile);
  }
}

function scriptOf(chunk: Chunk | undefined): string | undefined {
  return [...(chunk?.files ?? [])].find((file) => file.endsWith('.js'));
}
