import { cp, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import {
  type LocalServer,
  projectDirectory,
  removeDirectory,
  run,
  type RunningSite,
  serveStore,
  startServer,
} from '../site/running-site.ts';
import { expect, test } from '../site/page-test.ts';

/** Hosts of the example project, by their bundlers. */
const hostNames = ['webpack', 'rsbuild', 'vite'] as const;
type HostName = (typeof hostNames)[number];

/** Copy of the example project outside of this one, with its own dependencies. */
let examples: string;
/** Servers of the hosts, whose origins are cross-site to the page. */
let hosts: Readonly<Record<HostName, LocalServer>>;
/** Serves the same store as `site`, and lets the hosts load parts. */
let openSite: RunningSite;

const npm = (args: readonly string[], variables = {}) => run('npm', args, { cwd: examples, variables });

/** Builds a host that loads parts from an origin. Replaces its earlier build. */
const build = (host: HostName, partsOrigin: string) =>
  npm(['run', `build:${host}`], { PARTS_ORIGIN: partsOrigin });

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

const serveFolder = (folder: string) =>
  startServer((request, response) => {
    const file = request.url === '/' ? '/index.html' : String(request.url);
    readFile(join(folder, file)).then(
      (content) => response.setHeader('Content-Type', contentTypes[extname(file)] ?? '').end(content),
      () => response.writeHead(404).end(),
    );
  });

test.beforeAll(async ({ site }) => {
  test.setTimeout(240_000);
  examples = await mkdtemp(join(tmpdir(), 'hosts-'));
  await cp(join(projectDirectory, 'e2e', 'examples', 'hosts'), examples, {
    recursive: true,
    filter: (path) => !['dist', 'node_modules'].includes(basename(path)),
  });
  await npm(['ci', '--ignore-scripts', '--prefer-offline', '--loglevel=error']);
  const serve = (host: HostName) => serveFolder(join(examples, 'dist', host));
  hosts = { webpack: await serve('webpack'), rsbuild: await serve('rsbuild'), vite: await serve('vite') };
  const origins = Object.values(hosts).map(({ url }) => url);
  openSite = await serveStore(site.dataDirectory, { PARTS_ORIGINS: origins.join() });
  await Promise.all(hostNames.map((host) => build(host, openSite.url)));
});
test.afterAll(async () => {
  await openSite.stop();
  for (const host of Object.values(hosts)) await host.close();
  await removeDirectory(examples);
});

for (const host of hostNames) {
  test(`${host} host: shows the plans of the site, with styles and intervals`, async ({ page, site }) => {
    const plans = page.locator('#pricing');
    await page.goto(site.url);
    const text = String(await plans.textContent());
    await page.goto(hosts[host].url);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Intranet');
    await expect(plans).toHaveText(text);

    const plan = page.getByRole('article', { name: 'Team Leader' });
    await plan.getByRole('radio', { name: 'Yearly' }).check();
    await expect(plan.getByText('$129.99')).toBeVisible();
    // One style of the part, and one that also needs a design token of the site.
    const heading = page.getByRole('heading', { level: 2 }).first();
    await expect(heading).toHaveCSS('letter-spacing', /^-/);
    await expect(plan.getByRole('link')).toHaveCSS('background-color', 'rgb(42, 63, 214)');
  });
}

test.describe('a site that allows no other sites', () => {
  test.use({
    expectedReports: [
      'blocked by CORS policy',
      'net::ERR_FAILED',
      'net::ERR_BLOCKED_BY_RESPONSE.NotSameOrigin',
      'RUNTIME-003',
    ],
  });

  test('closed site: the browser refuses manifest and script, and the host stays', async ({ page, site }) => {
    await build('vite', site.url);
    await page.goto(hosts.vite.url);
    await expect(page.getByText('The price list is not available.')).toBeVisible();

    const manifest = (await (await page.request.get(`${site.url}/mf-pricing.json`)).json()) as {
      metaData: { remoteEntry: { name: string; path: string } };
    };
    const { name, path } = manifest.metaData.remoteEntry;
    const runScript = (url: string) =>
      page.evaluate(
        (src) =>
          new Promise((resolve) => {
            const script = Object.assign(document.createElement('script'), { src });
            script.onload = () => resolve('ran');
            script.onerror = () => resolve('refused');
            document.head.append(script);
          }),
        url,
      );
    expect(await runScript(`${openSite.url}/${path}${name}`)).toBe('ran');
    expect(await runScript(`${site.url}/${path}${name}`)).toBe('refused');
  });
});
