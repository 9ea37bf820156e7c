import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { developmentFolder } from '@countersign/contracts/part-manifest';
import webpack, { type Compiler, type Configuration } from 'webpack';
import { compile } from '../compile.ts';

/** The shell's script for the development server, relative to the shell's folder. No page refers to it. */
export const developmentShellFile = `${developmentFolder}shell.js`;

/** A heading that webpack writes, with a hash of absolute paths. Builds are the same in any folder. */
const generatedName = /^;\/\/ .*\.federation\/entry\.\w+\.js$/gm;

/**
 * Emits a development build of the shell beside the production build, so that teams without the shell's sources have Fast
 * Refresh in the live page.
 */
export class DevelopmentShellPlugin {
  readonly #config: Configuration;

  /** @param config of the development build, without output and entry point of its own */
  constructor(config: Configuration) {
    this.#config = config;
  }

  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap(DevelopmentShellPlugin.name, (compilation) => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT - 1;
      compilation.hooks.processAssets.tapPromise({ name: DevelopmentShellPlugin.name, stage }, async () => {
        const folder = await mkdtemp(join(tmpdir(), 'development-shell-'));
        try {
          await compile({ ...this.#config, output: { ...this.#config.output, path: folder } });
          const script = (await readFile(join(folder, 'shell.js'), 'utf8')).replaceAll(generatedName, '');
          // Marked, so that the minifier leaves it as it is: that takes seconds, and no visitor loads the file.
          const info = { minimized: true };
          compilation.emitAsset(developmentShellFile, new webpack.sources.RawSource(script), info);
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      });
    });
  }
}
