import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack from 'webpack';
import { federationOptions } from './federation-options.ts';

/** The same part as in rsbuild.config.ts, built with stock webpack. */
const { version } = createRequire(import.meta.url)('./package.json');
const name = `mf-pricing@${version}`;

/** Makes the loader of chunks ask the page for their hashes, in place of the package webpack-subresource-integrity. */
class PageIntegrityPlugin {
  apply(compiler) {
    const attributes = (element, address) =>
      `${element}.integrity = self._FILE_INTEGRITY(${address}); ${element}.crossOrigin = "anonymous";`;
    compiler.hooks.thisCompilation.tap('PageIntegrityPlugin', (compilation) => {
      webpack.runtime.LoadScriptRuntimeModule.getCompilationHooks(compilation).createScript.tap(
        'PageIntegrityPlugin',
        (source) => `${source}\n${attributes('script', 'url')}`,
      );
      MiniCssExtractPlugin.getCompilationHooks(compilation).beforeTagInsert.tap(
        'PageIntegrityPlugin',
        (source, { tag, href }) => `${source}\n${attributes(tag, href)}`,
      );
    });
  }
}

export default {
  mode: 'production',
  context: import.meta.dirname,
  entry: {},
  devtool: 'source-map',
  output: {
    path: join(import.meta.dirname, 'dist-webpack'),
    clean: true,
    publicPath: 'auto',
    uniqueName: name,
    crossOriginLoading: 'anonymous',
    trustedTypes: { policyName: name },
    chunkFilename: '[name].[contenthash:10].js',
  },
  optimization: { splitChunks: false },
  resolve: { extensions: ['.tsx', '.ts', '.js'] },
  module: {
    rules: [
      { test: /\.tsx?$/, loader: 'ts-loader', options: { transpileOnly: true } },
      {
        test: /\.module\.css$/,
        use: [
          MiniCssExtractPlugin.loader,
          {
            loader: 'css-loader',
            options: {
              modules: {
                localIdentName: '_[hash:base64:6]',
                localIdentHashSalt: name,
                namedExport: false,
              },
            },
          },
        ],
      },
    ],
  },
  plugins: [
    new PageIntegrityPlugin(),
    new MiniCssExtractPlugin({ chunkFilename: '[name].[contenthash:10].css' }),
    new ModuleFederationPlugin({ ...federationOptions(name), manifest: true }),
  ],
};
