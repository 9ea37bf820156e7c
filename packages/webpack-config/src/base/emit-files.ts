import webpack, { type Compiler } from 'webpack';

/** Adds files to the build: name → content. */
export function emitFiles(compiler: Compiler, files: Readonly<Record<string, string | Uint8Array>>): void {
  compiler.hooks.thisCompilation.tap(emitFiles.name, (compilation) => {
    const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
    compilation.hooks.processAssets.tap({ name: emitFiles.name, stage }, () => {
      for (const [name, content] of Object.entries(files)) {
        const source = typeof content === 'string' ? content : Buffer.from(content);
        compilation.emitAsset(name, new webpack.sources.RawSource(source));
      }
    });
  });
}
