import { partManifestFile, type PartManifest } from '@countersign/contracts/part-manifest';
import type { RemoteName } from '@countersign/contracts/remotes';
import { ReleaseError } from '../../platform/release-error.ts';
import { partManifestText, writeBuildFiles } from '../write-build-files.ts';
import { buildCauses, versionIn } from './build-causes.ts';
import { readFederationBuild, type FederationBuild } from './federation-build.ts';
import { assertKnownKeys, readContract, readPartSettings } from './part-settings.ts';

/**
 * Turns the output of an ordinary Module Federation build into a part: writes `part.json` and the declarations of the
 * contract into its folder, but no fragments. Throws a {@link ReleaseError}: for the first fault in the settings, or for all
 * causes in the build at once.
 *
 * @param directory output folder of the bundler
 * @param settingsFile file with what `mf-manifest.json` does not say: see `part-settings.ts`
 */
export async function adaptFederationBuild(
  part: RemoteName,
  directory: string,
  settingsFile: string,
): Promise<void> {
  const [settings, build] = await Promise.all([
    readPartSettings(settingsFile),
    readFederationBuild(directory),
  ]);
  const declarations = await readContract(settings, settingsFile);
  const { name, version } = identify(part, directory, build);
  const exposedKeys = build.manifest.exposes.map(({ path }) => path);
  assertKnownKeys(settings, exposedKeys, settingsFile);
  const { entry } = build;
  const { fragments = {} } = settings;
  const manifest: PartManifest = {
    name: part,
    version,
    globalName: name,
    entry: { scripts: [entry], styles: [] },
    exposes: Object.fromEntries(
      build.manifest.exposes.map(({ path, assets: { js, css } }) => [
        path,
        // A component without a script of its own is in the entry's script.
        { scripts: js.sync.length > 0 ? js.sync : [entry], styles: css.sync },
      ]),
    ),
    fragments,
    hydration: settings.hydration ?? {},
    shared: Object.fromEntries(
      build.manifest.shared.map(({ name, requiredVersion }) => [name, { range: requiredVersion }]),
    ),
    budget: settings.budget,
    files: [...new Set([...build.files, ...Object.values(fragments), ...declarations.keys()])].sort(),
  };
  const text = partManifestText(manifest);
  // `part.json` is last, so a crash leaves no manifest that names missing files.
  await writeBuildFiles(directory, new Map([...declarations, [partManifestFile, text]]));
}

/** A build that the page can run. */
interface BuildIdentity {
  /** `<part>@<version>`, also the global variable of its container. */
  readonly name: string;
  readonly version: string;
}

/** Name and version of a build. Throws an error with each cause and the bundler option that removes it. */
function identify(part: RemoteName, directory: string, build: FederationBuild): BuildIdentity {
  const { name, buildInfo } = build.manifest.metaData;
  const version = versionIn(name, part);
  // The build's own name if it is valid. `buildVersion` may be a word such as "local".
  const candidates = [name, `${part}@${buildInfo?.buildVersion}`];
  const recommended = candidates.find((each) => versionIn(each, part) !== undefined) ?? `${part}@1.0.0`;
  const causes = buildCauses({ ...build, part, name: recommended });
  if (version !== undefined && causes.length === 0) return { name, version };
  const count = causes.length === 1 ? '1 cause' : `${causes.length} causes`;
  throw new ReleaseError(
    [
      `${directory} cannot be published as ${part}: ${count}. Change the setting of each, and build again.`,
      ...causes.flatMap(({ problem, options }, index) => [
        `${index + 1}. ${problem}`,
        ...Object.entries(options).map(([bundler, option]) => `   ${bundler}: ${option}`),
      ]),
    ].join('\n'),
  );
}
