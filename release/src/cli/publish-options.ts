import { Option } from 'commander';
import type { OutputOptions } from './print.ts';

export interface PublishOptions extends OutputOptions {
  readonly fromMfManifest?: string | undefined;
  readonly renderFragments?: boolean | undefined;
}

export const publishOptions = [
  new Option(
    '--from-mf-manifest <settings>',
    'the folder is the output of a stock Rsbuild, Rspack or webpack build with mf-manifest.json; <settings> is a JSON file with the rest',
  ),
  new Option(
    '--render-fragments',
    'render the components that have no fragment, in the browser of the check',
  ),
];

export const publishUsage = 'publish <part> [folder]';
export const checkUsage = 'check <part> [version]';
