import { join } from 'node:path';
import { moduleClassTemplate } from '@countersign/contracts/module-class';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import type { Configuration } from 'webpack';
import { FederationModuleIdsPlugin } from './federation-module-ids-plugin.ts';
import { FileIntegrityPlugin } from './file-integrity-plugin.ts';

/** What one part's build is about. */
export interface PartBuild {
  /** Absolute path of the part's folder. */
  readonly root: string;
  /** Version that the result is published under; part of every global name. */
  readonly version: string;
}

/** Class names are hashed with it, in the browser's build and where fragments are rendered. */
export const hashFunction = 'sha256';

interface BaseOptions {
  /** Whether styles become files. If not, modules get the names of their classes, and the styles are dropped. */
  readonly extractStyles?: boolean;
}

/**
 * Settings that every part shares. `uniqueName` must contain the version: two versions of a remote can be in one
 * page, and would otherwise mix their modules.
 */
export function baseConfig(
  { root }: PartBuild,
  uniqueName: string,
  { extractStyles = true }: BaseOptions = {},
): Configuration {
  return {
    mode: 'production',
    context: root,
    devtool: 'source-map',
    // The parts are small and the budget of the page is checked where the page is put together.
    performance: false,
    // Makes webpack minify stylesheets. The loaders below still read them.
    experiments: { css: true },
    stats: 'errors-warnings',
    output: {
      path: join(root, 'dist'),
      clean: true,
      uniqueName,
      publicPath: 'auto',
      filename: '[name].[contenthash:10].js',
      chunkFilename: '[name].[contenthash:10].js',
      assetModuleFilename: '[name].[contenthash:10][ext]',
      crossOriginLoading: 'anonymous',
      // None: a slot has a time limit of its own, and a chunk may wait as long as the browser is offline.
      chunkLoadTimeout: 2 ** 31 - 1,
      // The page allows a policy of this name for every version that it names, and none for others.
      trustedTypes: { policyName: uniqueName },
      hashFunction,
    },
    resolve: {
      extensions: ['.ts', '.tsx', '.js'],
      // The scroll lock of dialogs and menus: the library's own way to add styles is refused by the page.
      alias: { 'react-style-singleton$': join(import.meta.dirname, 'browser', 'constructed-style.ts') },
    },
    module: {
      rules: [
        {
          test: /\.tsx?$/,
          loader: import.meta.resolve('ts-loader').replace('file://', ''),
          options: {
            // Types are checked by the `typecheck` task, over all files at once.
            transpileOnly: true,
            compilerOptions: { noEmit: false, allowImportingTsExtensions: false },
          },
        },
        {
          test: /\.css$/,
          type: 'javascript/auto',
          use: [
            ...(extractStyles ? [MiniCssExtractPlugin.loader] : []),
            {
              loader: import.meta.resolve('css-loader').replace('file://', ''),
              options: {
                modules: {
                  auto: true,
                  namedExport: false,
                  exportOnlyLocals: !extractStyles,
                  localIdentName: moduleClassTemplate,
                  // Two versions in one page must not share class names.
                  localIdentHashSalt: uniqueName,
                },
              },
            },
          ],
        },
        { test: /\.(woff2|png|svg)$/, type: 'asset/resource' },
      ],
    },
    plugins: extractStyles
      ? [
          new FederationModuleIdsPlugin(),
          new FileIntegrityPlugin(),
          new MiniCssExtractPlugin({
            filename: '[name].[contenthash:10].css',
            chunkFilename: '[name].[contenthash:10].css',
          }),
        ]
      : [],
  };
}
