import { fragmentFile } from '@countersign/contracts/fragment';
import type { Journeys } from '@countersign/contracts/journeys';
import type { RemoteDefinition, RemoteName } from '@countersign/contracts/remotes';
import type { Compiler, Configuration } from 'webpack';
import { baseConfig, type PartBuild } from '../base/base-config.ts';
import { contractDeclarations } from './contract-declarations.ts';
import { emitFiles } from '../base/emit-files.ts';
import { exposedModuleFile } from '../base/exposed-module-file.ts';
import { emitFragments } from '../fragments/emit-fragments.ts';
import { joinChunk } from './join-chunk.ts';
import { emitPartManifest } from './emit-part-manifest.ts';
import { remoteFederation } from '../base/remote-federation.ts';
import { sharedByRemotes } from '../base/shared-modules.ts';

interface RemoteBuild<Name extends RemoteName> extends PartBuild {
  /** Definition of the remote, from its `remote.ts`. */
  readonly remote: RemoteDefinition<Name>;
  /** Journeys of visitors, from its `journeys.ts`. The pre-deploy check follows them in a browser. */
  readonly journeys?: Journeys;
}

/** All exposed modules share one chunk, because they are on the same page. */
const exposedChunk = 'exposed';

/** Creates the webpack configuration of a remote: a federation container with the modules that `remote.ts` exposes. */
export function createRemoteConfig<Name extends RemoteName>({
  remote,
  journeys,
  ...build
}: RemoteBuild<Name>): Configuration {
  const globalName = `${remote.name}@${build.version}`;
  const keys = Object.keys(remote.exposes);
  const base = baseConfig(build, globalName);
  return {
    ...base,
    entry: {},
    // `splitChunks` is off, so that exposed modules need one request. HTML is not minified, because the
    // fragment check covers the exact serialisation. Module ids are numbers in order, because hashes of module names would
    // differ between folders: the federation plugin has absolute paths in them.
    optimization: { splitChunks: false, moduleIds: 'natural', minimizeOptions: { html: false } },
    plugins: [
      ...(base.plugins ?? []),
      ...remoteFederation({
        name: globalName,
        filename: 'entry.[contenthash:10].js',
        exposes: Object.fromEntries(
          keys.map((key) => [key, { import: exposedModuleFile(build.root, key), name: exposedChunk }]),
        ),
      }),
      (compiler: Compiler) => {
        joinChunk(compiler, { entryName: globalName, chunkName: exposedChunk });
        emitFiles(compiler, contractDeclarations(build.root));
        emitFragments(compiler, { ...build, remote: remote.name, uniqueName: globalName, exposedKeys: keys });
        emitPartManifest(compiler, {
          name: remote.name,
          version: build.version,
          globalName,
          entryName: globalName,
          exposes: Object.fromEntries(keys.map((key) => [key, exposedChunk])),
          fragments: Object.fromEntries(keys.map((key) => [key, fragmentFile(key)])),
          hydration: remote.hydration,
          budget: remote.budget,
          ...(journeys && { journeys }),
          shared: sharedByRemotes,
        });
      },
    ],
  };
}
