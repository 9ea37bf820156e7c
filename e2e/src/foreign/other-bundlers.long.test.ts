import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fragmentFolder } from '@countersign/contracts/fragment';
import { partManifest, partManifestFile, type PartManifest } from '@countersign/contracts/part-manifest';
import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';
import { expect, test as base, type Page } from '@playwright/test';
import { openPage } from '../driver/open-page.ts';
import { expectHydrated, expectShown } from '../checks/expect-whole-page.ts';
import {
  builtFolder,
  makeDataDirectory,
  projectDirectory,
  releaseInto,
  type ReleaseInto,
  removeDirectory,
  run,
  serveStore,
} from '../site/running-site.ts';
import { recordConsole } from '../driver/record-console.ts';

const exampleDirectory = join(projectDirectory, 'e2e', 'examples', 'rsbuild-remote');

/** Copies the example out of the repository, with the contract of the live shell, and returns its folder. */
async function copyExample(directory: string, version: string): Promise<string> {
  await cp(exampleDirectory, directory, {
    recursive: true,
    filter: (path) => !/[\\/](?:node_modules|dist[\w-]*)$/.test(path),
  });
  await cp(join(builtFolder('shell'), 'contract'), join(directory, 'contract'), { recursive: true });
  const file = join(directory, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...manifest, version }));
  return directory;
}

/** An example with the dependencies of its own lock file, which are not those of this repository. */
async function installExample(directory: string, version: string): Promise<string> {
  await copyExample(directory, version);
  const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['ci', ...options], { cwd: directory });
  return directory;
}

/** Builds with Rsbuild. Returns the output folder. */
async function buildWithRsbuild(directory: string, config: string): Promise<string> {
  const rsbuild = join(directory, 'node_modules', '@rsbuild', 'core', 'bin', 'rsbuild.js');
  await run(process.execPath, [rsbuild, 'build', '--config', config], {
    cwd: directory,
    variables: { NODE_ENV: undefined },
  });
  return join(directory, 'dist');
}

/** Builds a copy of the example with webpack and the plugins of this repository's dependencies. Returns the output folder. */
async function buildWithWebpack(directory: string, version: string): Promise<string> {
  await copyExample(directory, version);
  await symlink(join(projectDirectory, 'node_modules'), join(directory, 'node_modules'));
  await run(process.execPath, [join(directory, 'node_modules', '.bin', 'webpack')], { cwd: directory });
  return join(directory, 'dist-webpack');
}

interface ForeignSite {
  readonly url: string;
  readonly release: ReleaseInto;
  /** Folder outside of the repository, for builds. */
  readonly directory: string;
  /** The example, with its dependencies. */
  readonly rsbuildExample: string;
}

/** A served store with the real parts, and an example of a part that is built without this repository. */
const test = base.extend<object, { readonly foreign: ForeignSite }>({
  foreign: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern.
    async ({}, use) => {
      const directory = await makeDataDirectory();
      try {
        const store = join(directory, 'store');
        const release = releaseInto({ DATA_DIR: store });
        const [rsbuildExample] = await Promise.all([
          installExample(join(directory, 'rsbuild'), '1.4.0'),
          release.releaseAllParts(),
        ]);
        const site = await serveStore(store);
        await use({ url: site.url, release, directory, rsbuildExample });
        await site.stop();
      } finally {
        await removeDirectory(directory);
      }
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

/** Publishes a build, checks it and makes it live. Returns the violations of the check. */
async function releaseBuild(
  { runInTurn }: ReleaseInto,
  built: string,
  settings: string,
  version: string,
): Promise<unknown> {
  const [, checked] = await runInTurn<{ readonly findings?: unknown }>([
    ['publish', 'mf-pricing', built, '--from-mf-manifest', settings],
    ['check', 'mf-pricing', version],
    ['promote', 'mf-pricing', version],
  ]);
  return checked?.findings;
}

/** Uses the part in the live page: its state, its lazy chunk with its stylesheet, and the rest of the page. */
async function expectUsable(page: Page, url: string, version: string): Promise<void> {
  const messages = recordConsole(page.context());
  await openPage(page, url);
  await expectShown(page, 'mf-pricing', version);
  await expectHydrated(page, 'mf-header');

  await page.getByLabel('Pay by the year').check();
  await expect(page.getByText('Team: $250 per year')).toBeVisible();
  await page.getByRole('button', { name: 'Compare limits' }).click();
  const limits = page.getByText('Free: 3 documents a month.');
  await expect(limits).toHaveCSS('text-decoration-line', 'underline');
  const files = `:is(script[src*="/mf-pricing/${version}/"], link[rel="stylesheet"][href*="/mf-pricing/${version}/"])`;
  await expect(page.locator(`${files}:not([integrity^="sha256-"])`)).toHaveCount(0);
  expect(messages).toEqual([]);
}

test('Rsbuild: a stock build with a lazy chunk is published, checked and used', async ({
  page,
  foreign: { url, release, rsbuildExample },
}) => {
  const built = await buildWithRsbuild(rsbuildExample, 'rsbuild.config.ts');
  const settings = join(rsbuildExample, 'part-settings.json');
  expect(await releaseBuild(release, built, settings, '1.4.0')).toEqual([]);
  await expectUsable(page, url, '1.4.0');
});

test('webpack: a stock build with a lazy chunk is published, checked and used', async ({
  page,
  foreign: { url, release, directory },
}) => {
  const example = join(directory, 'webpack');
  const built = await buildWithWebpack(example, '1.5.0');
  expect(await releaseBuild(release, built, join(example, 'part-settings.json'), '1.5.0')).toEqual([]);
  await expectUsable(page, url, '1.5.0');
});

test('Rsbuild: a build without the page’s requirements is refused, with every missing setting', async ({
  foreign: { release, rsbuildExample },
}) => {
  const built = await buildWithRsbuild(rsbuildExample, 'stock.config.ts');
  const settings = join(rsbuildExample, 'part-settings.json');
  const stderr = await release.run('publish', 'mf-pricing', built, '--from-mf-manifest', settings).then(
    () => 'It was published.',
    (error: { readonly stderr: string }) => error.stderr,
  );
  expect(stderr).toContain(`${built} cannot be published as mf-pricing: 7 causes.`);
  const named = [...stderr.matchAll(/^ {3}Rsbuild: (.*)$/gm)].map(([, setting]) => setting);
  const module = `{ import: false, singleton: true, requiredVersion: '^19.3.0', strictVersion: true }`;
  expect(named).toEqual([
    `pluginModuleFederation({ name: 'mf-pricing@1.4.0' })`,
    `output: { assetPrefix: 'auto' }`,
    `pluginModuleFederation({ shared: { react: ${module}, 'react-dom': …, 'react/jsx-runtime': … /* the same */ } })`,
    `security: { sri: { enable: true, algorithm: 'sha256' } }`,
    `tools: { rspack: { output: { crossOriginLoading: 'anonymous' } } }`,
    `tools: { rspack: { output: { trustedTypes: { policyName: 'mf-pricing@1.4.0' } } } }`,
    `tools: { cssLoader: { modules: { localIdentName: '_[hash:base64:6]', localIdentHashSalt: 'mf-pricing@1.4.0' } } }, for stylesheets that are called *.module.css`,
  ]);
});

test('fragments: the browser of the check renders the real components exactly as their builds do', async ({
  foreign: { directory },
}) => {
  // A store of its own, because these versions are published already.
  const { runInTurn } = releaseInto({ DATA_DIR: join(directory, 'bare-store') });
  const bare = await Promise.all(
    remoteNames.map(async (remote) => [remote, await copyWithoutFragments(remote, directory)] as const),
  );
  await runInTurn(bare.map(([remote, built]) => ['publish', remote, built, '--render-fragments']));
  for (const [remote, built] of bare) {
    const expected = await readFragments(builtFolder(remote));
    expect(await readFragments(built)).toEqual(expected);
  }
});

/** Exposed key → markup in a build. */
async function readFragments(built: string): Promise<Readonly<Record<string, string>>> {
  const { fragments = {} } = await readManifest(built);
  const markup = Object.entries(fragments).map(
    async ([key, file]) => [key, await readFile(join(built, file), 'utf8')] as const,
  );
  return Object.fromEntries(await Promise.all(markup));
}

async function copyWithoutFragments(remote: RemoteName, directory: string): Promise<string> {
  const copy = join(directory, `bare-${remote}`);
  await cp(builtFolder(remote), copy, { recursive: true });
  await rm(join(copy, fragmentFolder), { recursive: true });
  const { files = [], ...manifest } = await readManifest(copy);
  delete manifest.fragments;
  const others = files.filter((file) => !file.startsWith(fragmentFolder));
  await writeFile(join(copy, partManifestFile), JSON.stringify({ ...manifest, files: others }));
  return copy;
}

async function readManifest(built: string): Promise<PartManifest> {
  return partManifest.parse(JSON.parse(await readFile(join(built, partManifestFile), 'utf8')));
}
