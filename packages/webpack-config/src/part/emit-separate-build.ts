import { mkdtempDisposable, readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import webpack, { type Compiler, type Configuration } from 'webpack';
import { compile } from '../base/compile.ts';

/**
 * Emits the scripts and styles of another build into a folder of this build. Its chunk graph is separate, so it adds nothing
 * to the files that visitors load.
 *
 * @param folder with a trailing slash
 * @param config of the other build; its output path is ignored
 */
export function emitSeparateBuild(compiler: Compiler, folder: string, config: Configuration): void {
  compiler.hooks.thisCompilation.tap(emitSeparateBuild.name, (compilation) => {
    // Before `emitPartManifest`, which lists these files in `part.json`.
    const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT - 1;
    compilation.hooks.processAssets.tapPromise({ name: emitSeparateBuild.name, stage }, async () => {
      await using output = await mkdtempDisposable(join(tmpdir(), 'separate-build-'));
      await compile({ ...config, output: { ...config.output, path: output.path } });
      for (const file of (await readdir(output.path)).filter((name) => /\.(?:js|css)$/.test(name))) {
        const text = await readFile(join(output.path, file), 'utf8');
        // Marked, so that the minifier of this build leaves the file as the other one made it.
        compilation.emitAsset(`${folder}${file}`, new webpack.sources.RawSource(text), { minimized: true });
      }
    });
  });
}
