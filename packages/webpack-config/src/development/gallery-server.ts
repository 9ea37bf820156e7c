import { join } from 'node:path';
import type { Compiler, Configuration } from 'webpack';
import { baseConfig } from '../base/base-config.ts';
import { emitFiles } from '../base/emit-files.ts';
import { exposedModuleFile } from '../base/exposed-module-file.ts';
import { sourceFile } from '../base/source-file.ts';
import { developmentFolderOf, developmentVersion } from './create-development-config.ts';
import type { DevelopmentServer } from './development-server.ts';
import { frameFile, framePage, galleryPage } from './gallery-page.ts';
import { openLocalServer } from './local-server.ts';
import { createUpdates, watchBuild, type RemoteSource } from './watch-build.ts';

interface GalleryOptions {
  readonly remotes: readonly [RemoteSource, ...RemoteSource[]];
  /** 0 picks a free port. */
  readonly port: number;
  log(line: string): void;
}

/**
 * Serves a gallery of the remotes' components on 127.0.0.1, without a site. A saved change is applied in all frames, where
 * components keep their state.
 */
export async function startGalleryServer({ remotes, port, log }: GalleryOptions): Promise<DevelopmentServer> {
  const server = await openLocalServer(port, log);
  const updates = createUpdates('/__development/events', 'hmr');
  const frames = remotes.map((source) =>
    watchBuild(frameConfig(source), developmentFolderOf(source.remote.name), log, updates),
  );
  const definitions = remotes.map(({ remote }) => remote);
  const page = galleryConfig(remotes[0].root, galleryPage(definitions, updates.path));
  const builds = [...frames, watchBuild(page, '/', log)];
  server.answerWith((path, request, response) => {
    if (path === updates.path) updates.stream.connect(request, response);
    else builds.find(({ folder }) => path.startsWith(folder))?.serve(request, response);
  });
  await Promise.all(builds.map((build) => build.valid()));
  return {
    port: server.port,
    async close() {
      await Promise.all([server.close(), ...builds.map((build) => build.close())]);
    },
  };
}

type NamedConfiguration = Configuration & { readonly name: string };

/** @param root folder of a remote, whose TypeScript settings are used */
function galleryConfig(root: string, page: string): NamedConfiguration {
  const entry = { gallery: sourceFile('browser/gallery') };
  return buildOf(root, 'gallery', entry, { 'index.html': page });
}

/** The components of a remote, with React's development build and the Fast Refresh runtime. */
function frameConfig({ root, remote }: RemoteSource): NamedConfiguration {
  const imports = Object.keys(remote.exposes).map((key) => {
    const file = join(root, exposedModuleFile(root, key));
    return `${JSON.stringify(key)}: () => import(${JSON.stringify(file)})`;
  });
  const code = `
    import { showComponent } from ${JSON.stringify(sourceFile('browser/gallery-frame'))};
    void showComponent({ ${imports.join(', ')} });`;
  const frame = [sourceFile('browser/refresh-runtime'), `data:text/javascript,${encodeURIComponent(code)}`];
  return buildOf(root, remote.name, { frame }, { [frameFile]: framePage(remote.name) });
}

function buildOf(
  root: string,
  name: string,
  entry: Configuration['entry'] & object,
  files: Readonly<Record<string, string>>,
): NamedConfiguration {
  const base = baseConfig({ root, version: developmentVersion }, name, { isDevelopment: true });
  return {
    ...base,
    name,
    entry,
    output: { ...base.output, clean: false },
    // A failed build emits nothing, so that the next one updates the page from the last good one.
    optimization: { emitOnErrors: false },
    plugins: [...(base.plugins ?? []), (compiler: Compiler) => emitFiles(compiler, files)],
  };
}
