import type { PartManifest } from '@countersign/contracts/part-manifest';
import type { RemoteName } from '@countersign/contracts/remotes';
import { ReleaseError } from '../../platform/release-error.ts';
import { withFragments, type RenderFragments } from '../add-fragments.ts';
import { writeBuildFiles } from '../write-build-files.ts';
import { buildCauses, versionIn } from './build-causes.ts';
import { readFederationBuild, type FederationBuild } from './federation-build.ts';
import { assertKnownKeys, readContract, readPartSettings } from './part-settings.ts';

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
  const { entry } = build;
  const { fragments = {} } = settings;
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
    fragments,
    hydration: settings.hydration ?? {},
    shared: Object.fromEntries(
      build.manifest.shared.map(({ name, requiredVersion }) => [name, { range: requiredVersion }]),
    ),
    budget: settings.budget,
    files: [...new Set([...build.files, ...Object.values(fragments), ...contract.keys()])].sort(),
  };
  const added = await withFragments(part, manifest, build.contents, renderFragments);
  await writeBuildFiles(directory, new Map([...contract, ...added]));
}

/** Returns the name of a build, or throws an error with all causes and their settings. */
function assertRunnable(part: RemoteName, directory: string, build: FederationBuild): string {
  const { name, buildInfo } = build.manifest.metaData;
  // Bundlers that know no version write a word, such as "local".
  const names = [name, `${part}@${buildInfo?.buildVersion}`];
  const expected = names.find((each) => versionIn(each, part) !== undefined) ?? `${part}@1.0.0`;
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
