import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import webpack, { type Compiler, type Configuration } from 'webpack';
import { compile } from '../base/compile.ts';

/**
 * Emits the scripts and styles of another build into a folder of this build. Its chunk graph is separate, so it adds nothing
 * to the files that visitors load.
 */
export class SeparateBuildPlugin {
  readonly #folder: string;
  readonly #config: Configuration;

  /**
   * @param folder with a trailing slash
   * @param config of the other build; its output path is ignored
   */
  constructor(folder: string, config: Configuration) {
    this.#folder = folder;
    this.#config = config;
  }

  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap(SeparateBuildPlugin.name, (compilation) => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT - 1;
      compilation.hooks.processAssets.tapPromise({ name: SeparateBuildPlugin.name, stage }, async () => {
        const path = await mkdtemp(join(tmpdir(), 'separate-build-'));
        try {
          const output = { ...this.#config.output, path };
          await compile({ ...this.#config, output });
          for (const file of (await readdir(path)).filter((name) => /\.(?:js|css)$/.test(name))) {
            const text = await readFile(join(path, file), 'utf8');
            // Marked, so that the minifier of this build leaves the file as the other one made it.
            const info = { minimized: true };
            compilation.emitAsset(`${this.#folder}${file}`, new webpack.sources.RawSource(text), info);
          }
        } finally {
          await rm(path, { recursive: true, force: true });
        }
      });
    });
  }
}
