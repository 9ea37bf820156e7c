import { federationRuntimeGlobal } from '@countersign/contracts/remotes';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import webpack from 'webpack';
import { runtimeModule, sharedModules } from './shared-modules.ts';

/** What differs between the release build and the development build of a remote. */
interface Container {
  /** Name of the container and of its global variable. Contains the version, so that two versions fit in one page. */
  readonly name: string;
  /** File of the container. */
  readonly filename: string;
  /** Exposed key → module and the chunk that it goes into. */
  readonly exposes: Readonly<Record<string, { readonly import: string; readonly name: string }>>;
}

/** Plugins for the federation container of a remote. The shell loads it by the name and URL in the release document. */
export function remoteFederation({ name, filename, exposes }: Container) {
  const container = new ModuleFederationPlugin({
    name,
    filename,
    exposes,
    // A classic script, because the runtime does not call its script hook, which adds integrity, for ES modules.
    library: { type: 'global', name },
    // `import: false`: no fallback copy of React is built, because the shell always provides one.
    shared: Object.fromEntries(
      Object.entries(sharedModules).map(([module, options]) => [module, { ...options, import: false }]),
    ),
    // `version-first`, the default, loads every remote before the page starts.
    shareStrategy: 'loaded-first',
    // The release document takes the place of the manifest, and contracts that of the declarations.
    manifest: false,
    dts: false,
    // The code that starts the container is a `data:` URL, and no file in `node_modules`.
    virtualRuntimeEntry: true,
  });
  return [container, withoutAbsolutePaths(), runtimeOfTheShell()];
}

/** Takes the federation runtime from the shell. Every remote would bring its own 20 kB otherwise. */
function runtimeOfTheShell() {
  return new webpack.ExternalsPlugin('var', { [runtimeModule]: federationRuntimeGlobal });
}

/** Keeps the folder of the build out of its source maps, because the plugin imports the runtime by its absolute path. */
function withoutAbsolutePaths() {
  const start = 'data:text/javascript;charset=utf-8;base64,';
  return new webpack.NormalModuleReplacementPlugin(new RegExp(`^${start}`), (module) => {
    const code = Buffer.from(module.request.slice(start.length), 'base64').toString();
    const relocatable = code.replace(new RegExp(`"[^"]*${runtimeModule}[^"]*"`), `"${runtimeModule}"`);
    module.request = start + Buffer.from(relocatable).toString('base64');
  });
}
