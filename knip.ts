import type { KnipConfig } from 'knip';

/** The parts and services that a workspace needs built or compiled. Its files name theirs by paths, and turbo by this dependency. */
const otherFolders = [/^(shell|mf-.*|release|lead-service)$/];

/** Unused files, exports and dependencies of each workspace. Entries are files that others start by their path. */
export default {
  include: ['dependencies', 'unlisted', 'unresolved', 'files', 'exports', 'types'],
  // A remote that does not exist yet.
  ignore: ['packages/create-remote/template/**'],
  workspaces: {
    'blind-spots': { ignoreDependencies: otherFolders },
    bench: {
      ignoreDependencies: otherFolders,
      entry: ['src/page/variants/*.tsx', 'src/leads/*.ts'],
    },
    e2e: {
      ignoreDependencies: otherFolders,
      entry: ['src/site/{build-fixture,release-in-turn}.ts', 'src/site/fixture/*.tsx'],
    },
    // Programs that they start by their path.
    'packages/create-remote': {
      entry: ['src/create-remote.ts'],
      // Of the template, which is compiled with this package.
      ignoreDependencies: ['@countersign/jest-config', '@countersign/webpack-config'],
    },
    'packages/webpack-config': {
      // Its name is the external module of remotes.
      ignoreDependencies: ['@module-federation/webpack-bundler-runtime'],
      entry: ['src/browser/*.ts', 'src/{base/refresh-loader,mutants/style-mutants,development/dev}.ts'],
    },
    'lead-service': { entry: ['src/cli/main.ts', 'src/testing/**/*.ts'] },
    release: {
      entry: [
        'src/{cli,client,follow-journeys,release-server,start}.ts',
        'src/cli/call-process.ts',
        'src/testing/*.ts',
      ],
    },
    // A stylesheet names its file.
    'packages/design-tokens': { ignoreDependencies: ['@fontsource-variable/figtree'] },
  },
} satisfies KnipConfig;
