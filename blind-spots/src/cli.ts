/** `npm run blind-spots -- <part>`: finds changes of a part that no journey and no invariant would notice (docs/journeys.md). */
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readArguments, refuseArguments } from '@countersign/contracts/arguments';
import type { Journeys } from '@countersign/contracts/journeys';
import { ignoreOutputErrors } from '@countersign/contracts/program';
import type { PartName } from '@countersign/contracts/remotes';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { buildMutants, type MutantBuild, type MutantSource } from '@countersign/webpack-config/build-mutants';
import { mutantsSince } from './mutants-since.ts';
import { findBlindSpots, type Trial } from './find-blind-spots.ts';
import { describeResults } from './describe-results.ts';
import { openBrowser } from '../../release/src/check/browser/open-browser.ts';
import {
  buildParts,
  builtDirectoryOf,
  localParts,
  projectDirectory,
} from '../../release/src/cli/build-parts.ts';
import { readConfig } from '../../release/src/cli/config.ts';
import { print, printProgress } from '../../release/src/cli/print.ts';
import { reportErrors } from '../../release/src/cli/report-errors.ts';
import { nextState } from '../../release/src/deploy/next-state.ts';
import { publishPart } from '../../release/src/deploy/publish-part.ts';
import { runUntilStopped } from '../../release/src/platform/stop-signal.ts';
import { DirectoryStore } from '../../release/src/store/directory-store.ts';
import { ReleaseStore } from '../../release/src/store/release-store.ts';

const usage = 'npm run blind-spots -- <part> [--since <commit>] [--minutes <number>] [--json]';
const { values, positionals } = readArguments(usage, [1, 1], {
  since: { type: 'string' },
  minutes: { type: 'string', default: '60' },
  json: { type: 'boolean', default: false },
});
const part = localParts().find((name) => name === positionals[0]);
if (!part)
  refuseArguments(`Unknown part "${positionals[0]}". Known parts: ${localParts().join(', ')}.`, usage);
const minutes = Number(values.minutes);
if (!(minutes > 0)) refuseArguments(`--minutes must be a number above 0, but is "${values.minutes}".`, usage);

ignoreOutputErrors();
await reportErrors(() => runUntilStopped((stopping, opened) => run(part, stopping, opened)));
process.exit();

async function run(name: PartName, stopping: AbortSignal, opened: AsyncDisposableStack): Promise<void> {
  const deadline = performance.now() + minutes * 60_000;
  const folder = opened.use(await mkdtempDisposable(join(tmpdir(), 'blind-spots-'))).path;
  printProgress(`building the other parts, and ${name} with all mutants …`);
  await buildParts(
    stopping,
    localParts().filter((other) => other !== name),
  );
  const root = join(projectDirectory, name);
  const load = async (file: string): Promise<unknown> => import(pathToFileURL(join(root, file)).href);
  const { journeys } = (await load('journeys.ts')) as { readonly journeys: Journeys };
  const source = await load(name === 'shell' ? 'src/document/document-files.ts' : 'remote.ts');
  const build = opened.use(await buildMutants(root, source as MutantSource, journeys, folder));
  const config = readConfig();
  const trial = await releaseOf(name, build, join(folder, 'site'), config.site);
  const chosen =
    values.since === undefined ? build.mutants : await mutantsSince(values.since, root, build.mutants);
  const browser = opened.use(await openBrowser(config.browser));
  const results = await findBlindSpots({
    ...trial,
    build,
    browser,
    chosen,
    deadline,
    progress: printProgress,
  });
  print({ json: { part: name, results }, lines: describeResults(name, results) }, values);
}

/** A release of all parts, in a store of its own, with the build in the place of the part. */
async function releaseOf(
  part: PartName,
  build: MutantBuild,
  folder: string,
  site: SiteConfig,
): Promise<Pick<Trial, 'objects' | 'release' | 'site' | 'part' | 'journeys'>> {
  const objects = new DirectoryStore(folder);
  const store = new ReleaseStore(objects);
  const published = localParts().map((name) =>
    publishPart(store, name, name === part ? build.folder : builtDirectoryOf(name), 'blind-spots'),
  );
  const manifests = (await Promise.all(published)).map(({ manifest }) => manifest);
  const versions = Object.fromEntries(manifests.map(({ name, version }) => [name, version]));
  const { release } = await nextState(store, undefined, { kind: 'promote', versions }, site);
  const journeys = manifests.map((manifest) => ({
    part: manifest.name,
    journeys: manifest.journeys ?? {},
    isThorough: manifest.name === part,
  }));
  return { objects, release, site, part, journeys };
}
