import type { PartManifest } from './part-manifest.ts';

/** File name of the {@link federationManifest} in a built part's folder. The page never requests it. */
export const federationManifestFile = 'mf-manifest.json';

/** Path of the manifest of a remote's live version, relative to the origin of the site. */
export function liveManifestFile(remote: string): string {
  return `${remote}.json`;
}

/** Files of an exposed module or a shared one, as Module Federation groups them. */
function assets(styles: readonly string[] = []) {
  return { js: { sync: [], async: [] }, css: { sync: [...styles], async: [] } };
}

/**
 * Manifest of a remote in the format of Module Federation (the type `Manifest` of `@module-federation/sdk`), from which other
 * hosts load the remote. It states the name of the container's global variable, because that name contains the version.
 *
 * @param folder folder with the files, relative to the manifest; empty or with a trailing slash
 */
export function federationManifest(part: PartManifest, folder = '') {
  const { name, version, globalName = name, entry, exposes, shared = {} } = part;
  const [remoteEntry = ''] = entry.scripts;
  return {
    id: name,
    name,
    metaData: {
      name,
      globalName,
      type: 'app',
      buildInfo: { buildName: name, buildVersion: version },
      remoteEntry: { name: remoteEntry, path: folder, type: 'global' },
      // The host derives the URLs of the files from that of the manifest.
      publicPath: 'auto',
    },
    shared: Object.entries(shared).map(([module, { range, provided = '' }]) => ({
      id: `${name}:${module}`,
      name: module,
      version: provided,
      singleton: true,
      requiredVersion: range,
      hash: '',
      assets: assets(),
    })),
    remotes: [],
    exposes: Object.entries(exposes).map(([path, { styles }]) => {
      const module = path.replace('./', '');
      return {
        id: `${name}:${module}`,
        name: module,
        path,
        // Scripts load with the entry, or through the loader in it.
        assets: assets(styles.map((file) => `${folder}${file}`)),
      };
    }),
  };
}
