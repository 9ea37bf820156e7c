import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalMarkup, checkFragment } from '@countersign/contracts/check-fragment';
import { fragmentFile } from '@countersign/contracts/fragment';
import type { Journeys } from '@countersign/contracts/journeys';
import type { RemoteDefinition, RemoteName } from '@countersign/contracts/remotes';
import { compile } from '../base/compile.ts';
import { fragmentBundleFile } from '../fragments/emit-fragments.ts';
import { startRenderer, type Renderer } from '../fragments/start-renderer.ts';
import type { Mutant } from '../mutants/insert-mutants.ts';
import { withoutDeclarations } from '../mutants/style-mutants.ts';
import { createRemoteConfig } from './create-remote-config.ts';
import { createShellConfig } from './create-shell-config.ts';

export type { Mutant };

/** The input of a build beside the modules: the definition of a remote, or the other files of the shell. */
export type MutantSource<Name extends RemoteName = RemoteName> =
  | { readonly remote: RemoteDefinition<Name> }
  | { readonly documentFiles: () => Readonly<Record<string, string | Uint8Array>> };

/** A built part that contains all of its mutants. */
export interface MutantBuild extends AsyncDisposable {
  /** Folder with the files of the build. */
  readonly folder: string;
  readonly mutants: readonly Mutant[];
  /** File → text of the stylesheets and fragments with some mutants. Rejects if they cannot be rendered, or break a rule of fragments. */
  render(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Milliseconds after which a mutant renders for ever. */
const renderTimeout = 10_000;

/** No budget, because mutants and their switches add to the size. */
const budget = { markup: 1e6, style: 1e6, script: 1e6 };

/**
 * Builds a part with all mutants, each behind a switch: `globalThis.isMutant(id)`. Not minified, because the minifier merges branches
 * of a switch that it takes for equal. The inline scripts of the shell's documents have none, because webpack does not build them.
 *
 * @param folder an empty folder, for the build
 */
export async function buildMutants<Name extends RemoteName>(
  root: string,
  source: MutantSource<Name>,
  journeys: Journeys,
  folder: string,
): Promise<MutantBuild> {
  const found = new Map<string, Mutant>();
  const mutants = { found, folder: join(folder, 'modules') };
  const build = { root, journeys, version: '0.0.0-mutants', mutants };
  const config =
    'remote' in source
      ? createRemoteConfig({ ...build, remote: { ...source.remote, budget } })
      : createShellConfig({ ...build, files: source.documentFiles(), budget });
  const built = join(folder, 'dist');
  await compile({
    ...config,
    output: { ...config.output, path: built },
    optimization: { ...config.optimization, minimize: false },
  });
  const styles = new Map<string, string>();
  for (const file of (await readdir(built)).filter((name) => name.endsWith('.css')))
    styles.set(file, await readFile(join(built, file), 'utf8'));
  let renderer: Renderer | undefined;
  const stop = async () => {
    await renderer?.[Symbol.asyncDispose]();
    renderer = undefined;
  };
  const nextMarkup = async (remote: RemoteName, ids: readonly string[]) => {
    try {
      if (!renderer) {
        const job = { bundle: join(mutants.folder, fragmentBundleFile), root, remote };
        renderer = startRenderer(job, renderTimeout);
        await renderer.next();
      }
      return await renderer.next(ids);
    } catch (cause) {
      // The next call starts another one.
      await stop();
      throw cause;
    }
  };
  const renderFragments = async (remote: RemoteName, ids: readonly string[]) => {
    return Object.entries(await nextMarkup(remote, ids)).map(([exposed, html]) => {
      const markup = canonicalMarkup(html);
      const [violation] = checkFragment(markup, { remote, exposed });
      if (violation !== undefined) throw new Error(violation);
      return [fragmentFile(exposed), markup] as const;
    });
  };
  const render = async (ids: readonly string[]) => {
    const texts = Array.from(styles, ([file, css]) => [file, withoutDeclarations(css, ids)] as const);
    const fragments = 'remote' in source ? await renderFragments(source.remote.name, ids) : [];
    return new Map([...texts, ...fragments]);
  };
  /** The renderer has one caller after the other. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    folder: built,
    mutants: [...found.values()],
    render(ids) {
      const rendering = last.then(() => render(ids));
      last = rendering.catch(() => undefined);
      return rendering;
    },
    [Symbol.asyncDispose]: stop,
  };
}
