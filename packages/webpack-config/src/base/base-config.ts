import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import refreshTransformer from 'react-refresh-typescript';
import ts from 'typescript';
import type { Configuration, RuleSetRule, RuleSetUseItem } from 'webpack';
import { refreshLoader } from './refresh-loader.ts';
import { requestIntegrity } from './request-integrity.ts';
import { insertMutants, type Mutant } from '../mutants/insert-mutants.ts';
import { styleMutantLoader } from '../mutants/style-mutants.ts';
import { moduleClassNames } from './module-class-names.ts';
import { sourceFile } from './source-file.ts';

/** Build of one part. */
export interface PartBuild {
  /** Absolute path of the part's folder. */
  readonly root: string;
  /** Version of the build. Part of every global name. */
  readonly version: string;
  /** Set for a build with all mutants, each behind a switch. */
  readonly mutants?: {
    /** Gets them by id. */
    readonly found: Map<string, Mutant>;
    /** Gets the modules from which fragments are rendered. */
    readonly folder: string;
  };
}

/** The browsers that this package's `package.json` lists. They also decide which prefixes the CSS minifier adds. */
const supportedBrowsers = `browserslist:${join(import.meta.dirname, '..', '..', 'package.json')}`;

interface BaseOptions {
  /** Whether styles are extracted to files. If not, modules export their class names only. */
  readonly extractStyles?: boolean;
  /** Whether the build is for the development server: quick, without hashes, and with Fast Refresh. */
  readonly isDevelopment?: boolean;
}

/**
 * Settings of all parts. `uniqueName` must contain the version, because two versions of a remote in one page
 * would otherwise share webpack's module registry.
 */
export function baseConfig(
  { root, mutants }: PartBuild,
  uniqueName: string,
  { extractStyles = true, isDevelopment = false }: BaseOptions = {},
): Configuration {
  const name = isDevelopment ? '[name]' : '[name].[contenthash:10]';
  return {
    mode: isDevelopment ? 'development' : 'production',
    target: supportedBrowsers,
    context: root,
    // Never one that evaluates code, because the content security policy blocks that.
    devtool: isDevelopment ? 'cheap-module-source-map' : 'source-map',
    // webpack's size hints are off, because the pre-deploy check enforces size budgets.
    performance: false,
    // Enables webpack's CSS minifier. The loaders below still process stylesheets.
    experiments: { css: true },
    stats: 'errors-warnings',
    output: {
      path: join(root, 'dist'),
      clean: true,
      uniqueName,
      publicPath: 'auto',
      filename: `${name}.js`,
      chunkFilename: `${name}.js`,
      assetModuleFilename: `${name}[ext]`,
      // `requestIntegrity` sets the attribute in all other builds.
      crossOriginLoading: isDevelopment && 'anonymous',
      // No timeout, because slots report late parts themselves, and a chunk may wait while the browser is
      // offline.
      chunkLoadTimeout: 2 ** 31 - 1,
      // The content security policy allows a Trusted Types policy of this name per released version.
      trustedTypes: { policyName: uniqueName },
      hashFunction: 'sha256',
    },
    resolve: {
      extensions: ['.ts', '.tsx', '.js'],
      // Replaces the style injection of the dialogs' scroll lock, because the content security policy blocks
      // it.
      alias: { 'react-style-singleton$': sourceFile('browser/constructed-style') },
    },
    module: {
      rules: [
        scriptRule(root, uniqueName, isDevelopment, mutants?.found),
        styleRule(
          isDevelopment ? developmentClassNames(uniqueName) : releasedClassNames(uniqueName),
          extractStyles,
          mutants ? [styleMutantLoader({ root, found: mutants.found })] : [],
        ),
        { test: /\.(woff2|avif|jpg|png|svg|webp)$/, type: 'asset/resource' },
      ],
    },
    // Builds without styles load no files, and the page cannot know hashes of hot updates.
    plugins: [
      ...(extractStyles && !isDevelopment ? [requestIntegrity] : []),
      ...(extractStyles
        ? [new MiniCssExtractPlugin({ filename: `${name}.css`, chunkFilename: `${name}.css` })]
        : []),
    ],
  };
}

function scriptRule(
  root: string,
  uniqueName: string,
  isDevelopment: boolean,
  mutants: Map<string, Mutant> | undefined,
): RuleSetRule {
  const before = [
    ...(isDevelopment ? [refreshTransformer({ ts })] : []),
    ...(mutants ? [insertMutants(root, mutants)] : []),
  ];
  return {
    test: /\.tsx?$/,
    use: [
      ...(isDevelopment ? [refreshLoader(uniqueName)] : []),
      {
        loader: fileURLToPath(import.meta.resolve('ts-loader')),
        options: {
          // Type checking is the job of the `typecheck` task.
          transpileOnly: true,
          // Of the part, because ts-loader otherwise takes that of the first file, which may be in a package.
          configFile: join(root, 'tsconfig.json'),
          compilerOptions: {
            composite: false,
            emitDeclarationOnly: false,
            allowImportingTsExtensions: false,
            // Sources of linked packages may be anywhere.
            rootDir: parse(import.meta.dirname).root,
          },
          getCustomTransformers: () => ({ before }),
        },
      },
    ],
  };
}

function releasedClassNames(uniqueName: string) {
  const nameIn = moduleClassNames(uniqueName);
  return {
    getLocalIdent: ({ resourcePath }: { readonly resourcePath: string }, _template: string, name: string) =>
      nameIn(resourcePath, name),
  };
}

/** Class names for the development server: stable while classes are added, and none of the live version in the page. */
function developmentClassNames(uniqueName: string) {
  return { localIdentName: '_[hash:base64:6]', localIdentHashSalt: uniqueName };
}

/** @param before loaders that change a stylesheet first */
function styleRule(names: object, extractStyles: boolean, before: readonly RuleSetUseItem[]): RuleSetRule {
  return {
    test: /\.css$/,
    type: 'javascript/auto',
    use: [
      ...(extractStyles ? [MiniCssExtractPlugin.loader] : []),
      {
        loader: fileURLToPath(import.meta.resolve('css-loader')),
        options: {
          // For stylesheets that `composes` names.
          importLoaders: before.length,
          modules: {
            auto: true,
            namedExport: false,
            exportOnlyLocals: !extractStyles,
            ...names,
          },
        },
      },
      ...before,
    ],
  };
}
