import { fileIntegrityGlobal } from '@countersign/contracts/file-integrity';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack, { type Compiler } from 'webpack';

/**
 * Makes the build's own loader ask the page what a chunk or its stylesheet must hash to, however late it is loaded. The
 * attributes are those of the preload links: if they differed, the browser would fetch the file twice. A page that
 * provides no hashes gets no chunk.
 */
export class FileIntegrityPlugin {
  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap(FileIntegrityPlugin.name, (compilation) => {
      const { LoadScriptRuntimeModule } = webpack.runtime;
      LoadScriptRuntimeModule.getCompilationHooks(compilation).createScript.tap(
        FileIntegrityPlugin.name,
        (source) => `${source}\n${attributes('script', 'url')}`,
      );
      MiniCssExtractPlugin.getCompilationHooks(compilation).beforeTagInsert.tap(
        FileIntegrityPlugin.name,
        (source, { tag, href }) => `${source}\n${attributes(tag, href)}`,
      );
    });
  }
}

function attributes(element: string, address: string): string {
  return `${element}.integrity = self.${fileIntegrityGlobal}(${address}); ${element}.crossOrigin = "anonymous";`;
}
