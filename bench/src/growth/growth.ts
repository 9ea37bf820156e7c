import { mkdtempDisposable } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { storedSite } from '../page/assembly/composed-variant.ts';
import type { Site } from '../page/assembly/site-files.ts';
import { variantNames } from '../page/assembly/variant.ts';
import { viewport, visitInTurn } from '../page/measure/measure-variants.ts';
import type { PageServer } from '../page/measure/page-server.ts';
import { isProfileName, profiles, type ProfileName } from '../page/measure/profiles.ts';
import { readFigures, type ReadFigures } from '../page/measure/visit-figures.ts';
import { visit } from '../page/measure/visit.ts';
import { runProgram } from '../platform/child-programs.ts';
import { growthReport, type MeasuredPage, type StoreTimes } from './growth-report.ts';
import type { StoreActions } from './store-actions.ts';
import { firstPart } from './synthetic-part.ts';
import { createSyntheticProject, syntheticVersion, type SyntheticProject } from './synthetic-project.ts';
import { buildSyntheticVariants } from './synthetic-variants.ts';

interface GrowthOptions {
  readonly runs: number;
  /** Name of one profile. */
  readonly profiles?: string | undefined;
  /** Comma-separated numbers of parts. */
  readonly parts?: string | undefined;
}

/** Number of versions of one part in the store for the second measurement of commands. */
const manyVersions = 1000;
/** Selector of the buttons, one in each part. */
const control = 'section button';

/** Measures how page and commands scale with the number of parts, and commands with the number of stored versions. */
export async function growth(options: GrowthOptions): Promise<{ figures: unknown; report: string }> {
  const counts = (options.parts ?? '4,16,64').split(',').map(Number);
  const profile = profileNamed(options.profiles ?? 'slow');
  await using folder = await mkdtempDisposable(join(tmpdir(), 'bench-growth-'));
  const pages: (MeasuredPage & { readonly site: Site; readonly visits: ReadFigures[] })[] = [];
  const times: StoreTimes[] = [];
  for (const parts of counts) {
    progress(`building pages of ${parts} parts`);
    const project = await createSyntheticProject(join(folder.path, String(parts)), parts);
    const data = join(folder.path, `${parts}-data`);
    await releaseAll(project, data);
    const sites = { ...(await buildSyntheticVariants(project)), ours: await storedSite(data) };
    pages.push(...variantNames.map((variant) => ({ variant, parts, site: sites[variant], visits: [] })));
    const build = { part: firstPart, folder: project.buildOf(firstPart) };
    // Version 2.0.0.
    await runStoreActions(project, data, { publishVersions: { ...build, count: 1 } });
    // One version of each part and of the shell, and the new one.
    times.push(await timeCommands(project, data, '2.0.0', parts + 2));
    if (parts === counts.at(-1)) {
      progress(`publishing ${manyVersions} versions`);
      await runStoreActions(project, data, { publishVersions: { ...build, count: manyVersions } });
      const newest = `2.0.${manyVersions - 1}`;
      times.push(await timeCommands(project, data, newest, parts + 1 + manyVersions));
    }
  }
  await visitInTurn(
    pages,
    options.runs,
    async (browser, server, page) =>
      void page.visits.push(await measureVisit(browser, server, page, profile)),
    progress,
  );
  const load = loadavg()[0] ?? 0;
  return {
    figures: {
      profile,
      runs: options.runs,
      load,
      pages: pages.map(({ variant, parts, visits }) => ({ variant, parts, visits })),
      commands: times,
    },
    report: growthReport({ profile, runs: options.runs, load, pages, times }),
  };
}

/** A first visit of the kind `read`. All figures about header and pricing are about all parts. */
async function measureVisit(
  browser: Browser,
  server: PageServer,
  { site, parts }: { readonly site: Site; readonly parts: number },
  profile: ProfileName,
): Promise<ReadFigures> {
  server.show(site);
  const context = await browser.newContext({ viewport });
  const controls = { header: control, pricing: control, callToAction: control };
  const watched = { controls, minControls: parts };
  const seen = await visit(context, server.origin, profiles[profile], 'read', watched);
  await context.close();
  return readFigures(seen);
}

function profileNamed(name: string): ProfileName {
  if (!isProfileName(name)) {
    throw new Error(`Unknown profile "${name}". Choose one of: ${Object.keys(profiles).join(', ')}.`);
  }
  return name;
}

async function releaseAll(project: SyntheticProject, data: string): Promise<void> {
  const parts = ['shell', ...project.names];
  await runStoreActions(project, data, {
    publish: Object.fromEntries(parts.map((part) => [part, project.buildOf(part)])),
    promote: Object.fromEntries(parts.map((part) => [part, syntheticVersion])),
  });
}

async function runStoreActions(
  project: SyntheticProject,
  data: string,
  actions: StoreActions,
): Promise<void> {
  await runProgram(
    ['bench/src/growth/store-actions.ts', JSON.stringify(actions)],
    { DATA_DIR: data },
    project.folder,
  );
}

async function timeCommands(
  project: SyntheticProject,
  data: string,
  version: string,
  versions: number,
): Promise<StoreTimes> {
  const release = (...args: string[]) =>
    runProgram(['release/src/cli.ts', ...args], { DATA_DIR: data }, project.folder);
  return {
    parts: project.names.length,
    versions,
    promote: await release('promote', firstPart, version, '--force', '--why', 'a measurement'),
    verify: await release('verify'),
  };
}

function progress(text: string): void {
  console.error(`growth: ${text}`);
}
