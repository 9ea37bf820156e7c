import { expect, test } from '../site/page-test.ts';
import { type RunningSite, serveStore } from '../site/running-site.ts';
import { type ExampleHosts, hostNames, installExampleHosts } from './example-hosts.ts';

let hosts: ExampleHosts;
/** Serves the same store as `site`, and lets the hosts load parts. */
let openSite: RunningSite;

test.beforeAll(async ({ site }) => {
  test.setTimeout(240_000);
  hosts = await installExampleHosts();
  const origins = Object.values(hosts.origins).join();
  openSite = await serveStore(site.dataDirectory, { PARTS_ORIGINS: origins });
  await Promise.all(hostNames.map((host) => hosts.build(host, openSite.url)));
});
test.afterAll(async () => {
  await openSite.stop();
  await hosts[Symbol.asyncDispose]();
});

for (const host of hostNames) {
  test(`${host} host: shows the plans of the site, with styles and intervals`, async ({ page, site }) => {
    const plans = page.locator('#pricing');
    await page.goto(site.url);
    const text = String(await plans.textContent());
    await page.goto(hosts.origins[host]);
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
    await hosts.build('vite', site.url);
    await page.goto(hosts.origins.vite);
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
