import { join } from 'node:path';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import webpack from 'webpack';
import { partsOrigin, shared } from './parts.js';

export default {
  mode: 'production',
  entry: './src/index.ts',
  output: { path: join(import.meta.dirname, 'dist', 'webpack'), publicPath: 'auto' },
  resolve: { extensions: ['.ts', '.tsx', '.js'] },
  module: { rules: [{ test: /\.tsx?$/, loader: 'ts-loader', options: { transpileOnly: true } }] },
  plugins: [
    new webpack.DefinePlugin({ PARTS_ORIGIN: JSON.stringify(partsOrigin) }),
    new HtmlWebpackPlugin({ title: 'Intranet' }),
    new ModuleFederationPlugin({
      name: 'intranet',
      remotes: { 'mf-pricing': `mf-pricing@${partsOrigin}/mf-pricing.json` },
      shared,
      dts: false,
    }),
  ],
};
