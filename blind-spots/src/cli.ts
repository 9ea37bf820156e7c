/** `npm run blind-spots -- <part>`: finds changes of a part that no journey and no invariant would notice (docs/journeys.md). */
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readArguments, refuseArguments } from '@countersign/contracts/arguments';
import type { Journeys } from '@countersign/contracts/journeys';
import { ignoreOutputErrors } from '@countersign/contracts/program';
import { buildMutants, type MutantSource } from '@countersign/webpack-config/build-mutants';
import { openBrowser } from '../../release/src/check/browser/open-browser.ts';
import { buildParts, buildFolderOf, localParts, projectFolder } from '../../release/src/cli/build-parts.ts';
import { readConfig } from '../../release/src/cli/config.ts';
import { print, printProgress } from '../../release/src/cli/print.ts';
import { runMain } from '../../release/src/cli/run-main.ts';
import { publishPart } from '../../release/src/deploy/publish-part.ts';
import { runUntilStopped } from '../../release/src/platform/stop-signal.ts';
import { DirectoryStore } from '../../release/src/store/directory-store.ts';
import { ReleaseStore } from '../../release/src/store/release-store.ts';
import { describeResults } from './describe-results.ts';
import { findBlindSpots } from './find-blind-spots.ts';
import { changedLines, mutantsIn } from './mutants-since.ts';

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

const find = async (stopping: AbortSignal, opened: AsyncDisposableStack) => {
  const deadline = performance.now() + minutes * 60_000;
  const root = join(projectFolder, part);
  const changed = values.since === undefined ? undefined : await changedLines(values.since, root);
  if (changed?.size === 0) return [];
  const folder = opened.use(await mkdtempDisposable(join(tmpdir(), 'blind-spots-'))).path;
  printProgress(`building the other parts, and ${part} with all mutants …`);
  const config = readConfig();
  const load = async (file: string): Promise<unknown> => import(pathToFileURL(join(root, file)).href);
  const { journeys } = (await load('journeys.ts')) as { readonly journeys: Journeys };
  const source = await load(part === 'shell' ? 'src/document/document-files.ts' : 'remote.ts');
  const others = localParts().filter((other) => other !== part);
  const [build, browser] = await Promise.all([
    buildMutants(root, source as MutantSource, journeys, folder).then((each) => opened.use(each)),
    openBrowser(config.browserLocation).then((each) => opened.use(each)),
    buildParts(stopping, others),
  ]);
  // The build of the mutants does not listen to it.
  stopping.throwIfAborted();
  const store = new ReleaseStore(new DirectoryStore(join(folder, 'site')));
  const published = localParts().map((each) =>
    publishPart(store, each, each === part ? build.folder : buildFolderOf(each), 'blind-spots'),
  );
  return findBlindSpots({
    store,
    manifests: (await Promise.all(published)).map(({ manifest }) => manifest),
    siteConfig: config.resolveSiteConfig(undefined),
    part,
    render: (ids) => build.render(ids),
    chosen: changed ? mutantsIn(changed, build.mutants) : build.mutants,
    browser,
    deadline,
    progress: printProgress,
  });
};

ignoreOutputErrors();
await runMain(() =>
  runUntilStopped(async (stopping, opened) => {
    const results = await find(stopping, opened);
    print({ json: { part, results }, lines: describeResults(part, results) }, values);
  }),
);
process.exit();
