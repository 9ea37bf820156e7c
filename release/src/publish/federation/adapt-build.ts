import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { canonicalMarkup } from '@countersign/contracts/check-fragment';
import { fragmentFile } from '@countersign/contracts/fragment';
import { partManifestFile, type PartManifest } from '@countersign/contracts/part-manifest';
import type { RemoteName } from '@countersign/contracts/remotes';
import { ReleaseError } from '../../platform/release-error.ts';
import { buildCauses, versionIn } from './build-causes.ts';
import { readFederationBuild, type FederationBuild } from './federation-build.ts';
import { assertKnownKeys, readContract, readPartSettings } from './part-settings.ts';

/** A container whose components are to be rendered. */
export interface RenderableBuild {
  readonly part: RemoteName;
  readonly version: string;
  readonly globalName: string;
  /** File of the container. */
  readonly entry: string;
  readonly exposedKeys: readonly string[];
  /** Name → content of all scripts and stylesheets. */
  readonly code: ReadonlyMap<string, string>;
}

/** Renders exposed components: exposed key → markup. Rejects with a {@link ReleaseError} if one does not render. */
export type RenderFragments = (build: RenderableBuild) => Promise<Readonly<Record<string, string>>>;

interface Adaptation {
  readonly part: RemoteName;
  /** Output folder of the bundler. */
  readonly directory: string;
  /** File with what `mf-manifest.json` does not say: see `part-settings.ts`. */
  readonly settingsFile: string;
  readonly renderFragments: RenderFragments;
}

/**
 * Turns the output of a stock Module Federation build into a part: adds `part.json`, the contract, and fragments to its
 * folder. Throws a {@link ReleaseError} that lists every reason why the page could not run it.
 */
export async function adaptFederationBuild({
  part,
  directory,
  settingsFile,
  renderFragments,
}: Adaptation): Promise<void> {
  const [settings, build] = await Promise.all([
    readPartSettings(settingsFile),
    readFederationBuild(directory),
  ]);
  const contract = await readContract(settings, settingsFile);
  const globalName = assertRunnable(part, directory, build);
  const version = versionIn(globalName, part) ?? '';
  const exposedKeys = build.manifest.exposes.map(({ path }) => path);
  assertKnownKeys(settings, exposedKeys, settingsFile);
  const { entry, code } = build;
  const { fragments: brought = {} } = settings;
  const missing = exposedKeys.filter((key) => !Object.hasOwn(brought, key));
  const rendered =
    missing.length === 0
      ? {}
      : await renderFragments({ part, version, globalName, entry, exposedKeys: missing, code });
  const added = new Map(contract);
  for (const [key, markup] of Object.entries(rendered)) added.set(fragmentFile(key), canonicalMarkup(markup));
  const files = [...new Set([...build.files, ...Object.values(brought), ...added.keys()])].sort();
  const manifest: PartManifest = {
    name: part,
    version,
    globalName,
    entry: { scripts: [entry], styles: [] },
    exposes: Object.fromEntries(
      build.manifest.exposes.map(({ path, assets: { js, css } }) => [
        path,
        // A key without a script of its own is in the entry.
        { scripts: js.sync.length > 0 ? js.sync : [entry], styles: css.sync },
      ]),
    ),
    fragments: { ...brought, ...Object.fromEntries(missing.map((key) => [key, fragmentFile(key)])) },
    hydration: settings.hydration ?? {},
    shared: Object.fromEntries(
      build.manifest.shared.map(({ name, requiredVersion }) => [name, { range: requiredVersion }]),
    ),
    budget: settings.budget,
    files,
  };
  added.set(partManifestFile, `${JSON.stringify(manifest, null, 2)}\n`);
  for (const [name, text] of added) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
}

/** Returns the name of a build, or throws an error with all causes and their settings. */
function assertRunnable(part: RemoteName, directory: string, build: FederationBuild): string {
  const { name, buildInfo } = build.manifest.metaData;
  const isNamed = versionIn(name, part) !== undefined;
  const expected = isNamed ? name : `${part}@${buildInfo?.buildVersion ?? '1.0.0'}`;
  const causes = buildCauses({ ...build, part, name: expected });
  if (causes.length === 0) return name;
  const count = causes.length === 1 ? '1 cause' : `${causes.length} causes`;
  throw new ReleaseError(
    [
      `${directory} cannot be published as ${part}: ${count}. Change the setting of each, and build again.`,
      ...causes.flatMap(({ problem, settings }, index) => [
        `${index + 1}. ${problem}`,
        ...Object.entries(settings).map(([bundler, setting]) => `   ${bundler}: ${setting}`),
      ]),
    ].join('\n'),
  );
}
