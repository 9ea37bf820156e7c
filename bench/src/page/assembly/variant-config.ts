import { join } from 'node:path';
import { baseConfig } from '@countersign/webpack-config/base-config';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack, { type Configuration } from 'webpack';

export const benchDirectory = join(import.meta.dirname, '..', '..', '..');

interface VariantBuild {
  /** Folder with the sources. */
  readonly root: string;
  readonly name: string;
  readonly outputFolder: string;
  /** Builds the state after a deploy: scripts that match have the same size, but other content, and so another name. */
  readonly changedScripts?: RegExp | undefined;
}

/**
 * Build configuration for a variant, one of the ways to build the page that the benchmark compares: that of the parts (loaders, class
 * names, React, minification) without the settings of the composed page, which are version in every name, integrity and Trusted Types.
 */
export function variantConfig({ root, name, outputFolder, changedScripts }: VariantBuild): Configuration {
  const base = baseConfig({ root, version: '1.0.0' }, name);
  return {
    ...base,
    devtool: false,
    infrastructureLogging: { level: 'error' },
    output: {
      path: outputFolder,
      uniqueName: name,
      publicPath: 'auto',
      filename: '[name].[contenthash:10].js',
      chunkFilename: '[name].[contenthash:10].js',
      assetModuleFilename: '[name].[contenthash:10][ext]',
      hashFunction: 'sha256',
    },
    plugins: [
      new MiniCssExtractPlugin({
        filename: '[name].[contenthash:10].css',
        chunkFilename: '[name].[contenthash:10].css',
      }),
      new webpack.BannerPlugin({
        banner: ({ filename }) => (changedScripts?.test(filename) ? '/*2*/' : '/*1*/'),
        raw: true,
        test: /\.js$/,
        // After minification, which would remove the banner.
        stage: webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1,
      }),
    ],
  };
}
