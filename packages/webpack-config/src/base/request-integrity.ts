import { fileIntegrityGlobal } from '@countersign/contracts/file-integrity';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack, { type Compiler } from 'webpack';

/**
 * Makes webpack's chunk loader request integrity hashes from the page, for scripts and stylesheets. The
 * attributes equal those of the preload links, because the browser would otherwise fetch the file twice.
 */
export function requestIntegrity(compiler: Compiler): void {
  compiler.hooks.thisCompilation.tap(requestIntegrity.name, (compilation) => {
    const { LoadScriptRuntimeModule } = webpack.runtime;
    LoadScriptRuntimeModule.getCompilationHooks(compilation).createScript.tap(
      requestIntegrity.name,
      (source) => `${source}\n${attributes('script', 'url')}`,
    );
    MiniCssExtractPlugin.getCompilationHooks(compilation).beforeTagInsert.tap(
      requestIntegrity.name,
      (source, { tag, href }) => `${source}\n${attributes(tag, href)}`,
    );
  });
}

/** Code that sets the attributes. The parameters are names of variables in webpack's own code. */
function attributes(element: string, address: string): string {
  return `${element}.integrity = self.${fileIntegrityGlobal}?.(${address}) ?? ""; ${element}.crossOrigin = "anonymous";`;
}
