import type { Configuration } from 'webpack';
import { baseConfig } from '../base/base-config.ts';
import { sourceFile } from '../base/source-file.ts';
import { developmentVersion } from './create-development-config.ts';
import type { DevelopmentServer } from './development-server.ts';
import { framePath, galleryFolder, galleryFrame, galleryPage } from './gallery-page.ts';
import { openLocalServer, sendPage, sendText } from './local-server.ts';
import { createUpdates, watchBuild, watchRemote, type RemoteSource } from './watch-build.ts';

interface GalleryOptions {
  readonly remotes: readonly [RemoteSource, ...RemoteSource[]];
  /** 0 picks a free one. */
  readonly port: number;
  log(line: string): void;
}

/**
 * Serves a gallery of the remotes' components on 127.0.0.1, without a site. A saved change is applied in all frames, where
 * components keep their state.
 */
export async function startGalleryServer({
  remotes: sources,
  port,
  log,
}: GalleryOptions): Promise<DevelopmentServer> {
  const server = await openLocalServer(port, log);
  const updates = createUpdates('/__development/events', 'hmr');
  const builds = [
    ...sources.map((source) => watchRemote(source, updates, log)),
    watchBuild(galleryConfig(sources[0].root), galleryFolder, log),
  ];
  const definitions = sources.map(({ remote }) => remote);
  server.answerWith((path, request, response) => {
    const build = builds.find(({ folder }) => path.startsWith(folder));
    if (path === '/') sendPage(response, galleryPage(definitions));
    else if (path === framePath) {
      const { searchParams } = new URL(request.url ?? '', 'http://localhost');
      const page = galleryFrame(definitions, searchParams, updates.path);
      if (page === undefined) sendText(response, 404, 'The gallery has no such frame.');
      else sendPage(response, page);
    } else if (path === updates.path) updates.stream.connect(request, response);
    else if (build) build.serve(request, response);
    else sendText(response, 404, 'The gallery has no such page. Go to /.');
  });
  await Promise.all(builds.map((build) => build.valid()));
  return {
    port: server.port,
    async close() {
      await Promise.all([server.close(), ...builds.map((build) => build.close())]);
    },
  };
}

/**
 * The scripts of the gallery and of its frames, which have React's development build and the Fast Refresh runtime.
 *
 * @param root folder of a remote, whose TypeScript settings are used
 */
function galleryConfig(root: string): Configuration & { readonly name: string } {
  const base = baseConfig({ root, version: developmentVersion }, 'gallery', { isDevelopment: true });
  return {
    ...base,
    name: 'gallery',
    entry: {
      gallery: sourceFile('browser/gallery'),
      frame: [sourceFile('browser/refresh-runtime'), sourceFile('browser/gallery-frame')],
    },
    output: { ...base.output, clean: false },
  };
}
