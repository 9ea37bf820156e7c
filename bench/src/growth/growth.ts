import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { storedSite } from '../page/assembly/composed-variant.ts';
import { isProfileName, profiles, type ProfileName } from '../page/measure/profiles.ts';
import { runProgram } from '../run-program.ts';
import { growthReport, type StoreTimes } from './growth-report.ts';
import { measureGrowth, type BuiltPage } from './measure-growth.ts';
import type { StoreActions } from './store-actions.ts';
import { firstPart } from './synthetic-part.ts';
import { createSyntheticProject, syntheticVersion, type SyntheticProject } from './synthetic-project.ts';
import { federatedGrowth, plainGrowth, prerenderedGrowth } from './synthetic-variants.ts';

interface GrowthOptions {
  readonly runs: number;
  /** Name of one profile. */
  readonly profiles?: string | undefined;
  /** Comma-separated numbers of parts. */
  readonly parts?: string | undefined;
}

const manyVersions = 1000;

/** Measures how page and commands scale with the number of parts, and commands with the number of stored versions. */
export async function growth(options: GrowthOptions): Promise<{ figures: unknown; report: string }> {
  const counts = (options.parts ?? '4,16,64').split(',').map(Number);
  const profile = profileNamed(options.profiles ?? 'slow');
  const folder = await mkdtemp(join(tmpdir(), 'bench-growth-'));
  try {
    const pages: BuiltPage[] = [];
    const times: StoreTimes[] = [];
    for (const parts of counts) {
      progress(`building pages of ${parts} parts`);
      const project = await createSyntheticProject(join(folder, String(parts)), parts);
      const data = join(folder, `${parts}-data`);
      await releaseAll(project, data);
      pages.push(
        { assembly: 'plain', parts, site: await plainGrowth(project) },
        { assembly: 'prerendered', parts, site: await prerenderedGrowth(project) },
        { assembly: 'default', parts, site: await federatedGrowth(project) },
        { assembly: 'ours', parts, site: await storedSite(data) },
      );
      const build = { part: firstPart, folder: project.buildOf(firstPart) };
      await runStoreActions(project, data, { publishVersions: { ...build, count: 1 } });
      times.push(await timeCommands(project, data, '2.0.0', parts + 2));
      if (parts === counts.at(-1)) {
        progress(`publishing ${manyVersions} versions`);
        await runStoreActions(project, data, { publishVersions: { ...build, count: manyVersions } });
        const newest = `2.0.${manyVersions - 1}`;
        times.push(await timeCommands(project, data, newest, parts + 1 + manyVersions));
      }
    }
    const measured = await measureGrowth(pages, profile, options.runs, progress);
    const load = loadavg()[0] ?? 0;
    return {
      figures: { profile, runs: options.runs, load, pages: measured, commands: times },
      report: growthReport({ profile, runs: options.runs, load, pages: measured, times }),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
