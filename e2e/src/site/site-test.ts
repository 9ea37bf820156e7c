import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RemoteName } from '@countersign/contracts/remotes';
import { test as base, type Page } from '@playwright/test';
import { endSplashEarly, splashEnd } from '../driver/open-page.ts';
import {
  builtFolder,
  makeDataDirectory,
  releaseBroken,
  releaseInto,
  removeDirectory,
  run,
  type RunningSite,
  startSite,
} from './running-site.ts';

/** A version that is broken on purpose: a build of the fixture. */
export interface VersionFault {
  readonly version: string;
  /** Text in the build → text that takes its place. */
  readonly replacements?: Readonly<Record<string, string>>;
}

/** A version of a remote: its own build, or one with a fault. */
interface RemoteVersion {
  readonly remote: RemoteName;
  readonly fault?: VersionFault;
}

/** The remote's own build. */
export const live = (remote: RemoteName): RemoteVersion => ({ remote });

/** A version with a fault. */
export const broken = (remote: RemoteName, fault: VersionFault): RemoteVersion => ({ remote, fault });

/** Loads code and styles late, and throws an error on demand. */
export const fixture: VersionFault = { version: '91.0.0' };

/** Throws an error when it renders. */
export const throwsOnRender = {
  version: '92.0.0',
  replacements: { '"renders"': '"throws"' },
} as const satisfies VersionFault;

/** A page of the site in which a version with a fault is live. */
export interface FaultyPage {
  /** Path with query, at which the page stays available. */
  readonly path: string;
  readonly remote: RemoteName;
  readonly version: string;
  readonly previous: string;
}

/** The site of a worker, whose live page has the remotes' own builds. */
interface TestSite extends RunningSite {
  /**
   * Makes two versions of a remote live, one after the other, and returns the page of the second release. Afterwards, the own
   * build of the remote is live again. Each worker releases a page only once.
   */
  pageWith(previous: RemoteVersion, faulty: RemoteVersion): Promise<FaultyPage>;
}

/** @public Named by the declarations of what extends it. */
export interface SiteOptions {
  /** Whether the splash lasts two seconds, as for visitors. By default it ends when the page is complete. */
  readonly fullSplash: boolean;
}

/** @public Named by the declarations of what extends it. */
export interface SiteFixtures {
  /** Opens a path of the site and waits until the splash is over. */
  readonly openSite: (path?: string) => Promise<Page>;
}

/** @public Named by the declarations of what extends it. */
export interface SiteWorkerFixtures {
  /** A site of this worker's own, started as `npm start` does, with the parts that the first worker has released. */
  readonly site: TestSite;
}

/** Tests against the built parts, the local server, the lead service and its database. */
export const test = base.extend<SiteOptions & SiteFixtures, SiteWorkerFixtures>({
  fullSplash: [false, { option: true }],
  site: [
    async ({}, use, { project }) => {
      const dataDirectory = await copyReleasedSite(project.outputDir);
      const site = await startSite(dataDirectory);
      await use({ ...site, pageWith: releaseFaults(dataDirectory, project.outputDir) });
      await site.stop();
      await removeDirectory(dataDirectory);
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  context: async ({ context, fullSplash }, use) => {
    if (!fullSplash) await endSplashEarly(context);
    await use(context);
  },
  openSite: async ({ page }, use) => {
    await use(async (path = '/') => {
      await page.goto(path);
      await splashEnd(page);
      return page;
    });
  },
});

export { expect } from '@playwright/test';

/**
 * Creates a data folder in which the remotes' own builds are live. The caller removes it.
 *
 * @param outputDirectory of all workers. The first one releases there what the others copy.
 */
export async function copyReleasedSite(outputDirectory: string): Promise<string> {
  const released = join(outputDirectory, 'released-site');
  await prepareOnce(released, async () => (await startSite(released)).stop());
  const copy = await makeDataDirectory();
  const options = { recursive: true, verbatimSymlinks: true } as const;
  await cp(join(released, 'site'), join(copy, 'site'), options);
  return copy;
}

/** Releases versions with faults into the store of a site. */
function releaseFaults(dataDirectory: string, outputDirectory: string): TestSite['pageWith'] {
  // Without a browser, because the rollbacks need not open the page.
  const release = releaseInto({ DATA_DIR: dataDirectory, BROWSER_PATH: '/nowhere' });
  const pages = new Map<string, FaultyPage>();

  /** Arguments of the release commands that make a version live. */
  async function commandsFor({ remote, fault }: RemoteVersion, temporary: string) {
    if (!fault) return [['rollback', remote, await versionOf({ remote })]];
    const built = await fixtureAs(remote, outputDirectory);
    const folder = await restamp(built, temporary, fault.version, fault.replacements ?? {});
    return [['publish', remote, folder], releaseBroken('promote', remote, fault.version)];
  }

  async function releasePage(previous: RemoteVersion, faulty: RemoteVersion): Promise<FaultyPage> {
    const { remote } = faulty;
    const temporary = await makeDataDirectory();
    try {
      const inTurn = [previous, faulty, live(remote)];
      const commands = await Promise.all(inTurn.map((version) => commandsFor(version, temporary)));
      const printed = await release.runInTurn<{ readonly releaseId: string }>(commands.flat());
      // The last command is the rollback to the own build, the one before it made the faulty version live.
      const path = `/?release=${printed.at(-2)?.releaseId}`;
      return { path, remote, version: await versionOf(faulty), previous: await versionOf(previous) };
    } finally {
      await removeDirectory(temporary);
    }
  }

  return async (...versions) => {
    const key = JSON.stringify(versions);
    const page = pages.get(key) ?? (await releasePage(...versions));
    pages.set(key, page);
    return page;
  };
}

async function versionOf({ remote, fault }: RemoteVersion): Promise<string> {
  return fault?.version ?? (await readManifest(builtFolder(remote))).version;
}

/** Remotes as which the fixture is built: one with one slot, and one with several. */
const fixtureRemotes = ['mf-pricing', 'mf-content'] as const;

/**
 * The build of the fixture as a remote. The first worker that needs one makes all at once, because the second takes little more
 * time.
 */
export async function fixtureAs(remote: RemoteName, outputDirectory: string): Promise<string> {
  const folder = join(outputDirectory, 'fixtures');
  const folders = await prepareOnce<Partial<Record<RemoteName, string>>>(folder, async () => {
    const temporary = await makeDataDirectory();
    const script = join(import.meta.dirname, 'build-fixture.ts');
    await run(process.execPath, [script, temporary, ...fixtureRemotes]);
    const built = fixtureRemotes.map((name) => [name, join(folder, name)] as const);
    for (const [name, copy] of built) await cp(join(temporary, name, 'dist'), copy, { recursive: true });
    await removeDirectory(temporary);
    return Object.fromEntries(built);
  });
  const built = folders[remote];
  if (built === undefined)
    throw new Error(`The fixture is not built as ${remote}. Add it to fixtureRemotes.`);
  return built;
}

/** Ends of files. A test changes their `0` to `1` in transit: a page that runs or applies the file then sets the variable. */
const marks: Readonly<Record<string, string>> = {
  '.js': '\n;globalThis.tampered|=0;',
  '.css': '\n:root{--tampered:0}',
};

/** The name of a build as webpack writes it in names of variables. */
function identifier(name: string): string {
  return name.replace(/[^a-zA-Z0-9$]+/g, '_');
}

/**
 * Copies a build into a new folder below `parent`, as another version of the same part. It is published with the right hashes, as a
 * team would publish it.
 *
 * @param replacements of a version that is broken on purpose, which has a mark at the end of every script and stylesheet as well. Throws
 * an error if the build lacks one of the texts.
 */
export async function restamp(
  built: string,
  parent: string,
  version: string,
  replacements?: Readonly<Record<string, string>>,
): Promise<string> {
  const manifest = await readManifest(built);
  const before = `${manifest.name}@${manifest.version}`;
  const after = `${manifest.name}@${version}`;
  const replaced = { ...replacements, [before]: after, [identifier(before)]: identifier(after) };
  const missing = new Set(Object.keys(replacements ?? {}));
  const copy = await mkdtemp(join(parent, 'restamped-'));
  for (const entry of await readdir(built, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const name = relative(built, join(entry.parentPath, entry.name));
    await mkdir(dirname(join(copy, name)), { recursive: true });
    const [suffix = ''] = /\.(js|css|json|html)$/.exec(name) ?? [];
    if (suffix === '') {
      await copyFile(join(built, name), join(copy, name));
      continue;
    }
    let text = await readFile(join(built, name), 'utf8');
    for (const [from, to] of Object.entries(replaced)) {
      if (text.includes(from)) missing.delete(from);
      text = text.replaceAll(from, to);
    }
    if (name === 'part.json') text = JSON.stringify({ ...JSON.parse(text), version });
    const mark = replacements && marks[suffix];
    await writeFile(join(copy, name), text + (mark ?? ''));
  }
  if (missing.size > 0)
    throw new Error(`The build ${before} does not contain ${[...missing].join(' and ')}.`);
  return copy;
}

async function readManifest(built: string) {
  const manifest: unknown = JSON.parse(await readFile(join(built, 'part.json'), 'utf8'));
  return manifest as { readonly name: string; readonly version: string };
}

/** Time between two checks whether another worker is done, in milliseconds. */
const retryInterval = 250;

/**
 * Prepares a folder once for all workers of a run, in the worker that needs it first. The others wait for it, or prepare it
 * themselves if it fails there. Returns the result of `prepare`, which is stored as JSON.
 *
 * @param directory does not exist when the run starts
 */
async function prepareOnce<Result>(directory: string, prepare: () => Promise<Result>): Promise<Result> {
  const result = join(directory, 'result.json');
  await mkdir(dirname(directory), { recursive: true });
  while (!existsSync(result)) {
    if (!(await isFirstIn(directory))) {
      await delay(retryInterval);
      continue;
    }
    try {
      await writeFile(`${result}.part`, JSON.stringify(await prepare()));
      await rename(`${result}.part`, result);
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
  }
  return JSON.parse(await readFile(result, 'utf8')) as Result;
}

/** Creates the folder. Returns `false` if another worker has done so. */
async function isFirstIn(directory: string): Promise<boolean> {
  try {
    await mkdir(directory);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
