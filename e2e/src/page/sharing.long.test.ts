import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from '../site/page-test.ts';

/** Origin of the published site. The tested site has another origin, but the same metadata. */
const origin = 'https://www.countersign.example';

const contentOf = (page: Page, selector: string) =>
  page.locator(`head > ${selector}`).getAttribute('content');
const linkOf = (page: Page, selector: string) => page.locator(`head > link${selector}`).getAttribute('href');

/** Requests a file from the tested site. Its URL is relative or has the published origin. */
async function fetchFrom(request: APIRequestContext, site: string, address: string | null) {
  const { pathname, origin: found } = new URL(String(address), origin);
  expect(found, `origin of ${address}`).toBe(origin);
  const answer = await request.get(`${site}${pathname}`);
  expect(answer.status(), pathname).toBe(200);
  return { type: answer.headers()['content-type'], body: await answer.body() };
}

/** Width and height of a PNG, from its first chunk. */
function sizeOfPng(image: Buffer): readonly [number, number] {
  expect(image.subarray(1, 4).toString()).toBe('PNG');
  return [image.readUInt32BE(16), image.readUInt32BE(20)];
}

test.skip(({ isMobile }) => isMobile, 'Metadata does not depend on the size of the window.');

test.beforeEach(async ({ page, site }) => {
  await page.goto(site.url, { waitUntil: 'domcontentloaded' });
});

test('metadata: a shared link has URL and picture of the site', async ({ page, request, site }) => {
  await expect(page).toHaveTitle(/Countersign.*Document Forms and Digital Signing Platform/);
  expect(await contentOf(page, 'meta[name="description"]')).toMatch(/^.{70,200}$/);
  expect(await linkOf(page, '[rel="canonical"]')).toBe(`${origin}/`);
  const picture = `${origin}/social-card.png`;
  const expected = {
    'meta[property="og:type"]': 'website',
    'meta[property="og:site_name"]': 'Countersign',
    'meta[property="og:url"]': `${origin}/`,
    'meta[property="og:image"]': picture,
    'meta[property="og:image:width"]': '1200',
    'meta[property="og:image:height"]': '630',
    'meta[name="twitter:card"]': 'summary_large_image',
    'meta[name="twitter:image"]': picture,
  };
  for (const [selector, content] of Object.entries(expected)) {
    expect.soft(await contentOf(page, selector), selector).toBe(content);
  }
  const { type, body } = await fetchFrom(request, site.url, picture);
  expect(type).toBe('image/png');
  expect(sizeOfPng(body)).toEqual([1200, 630]);
});

test('metadata: icons and manifest exist, with the declared types and sizes', async ({
  page,
  request,
  site,
}) => {
  const icons = await page
    .locator('head > link[rel="icon"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  const types = await Promise.all(
    icons.map(async (address) => (await fetchFrom(request, site.url, address)).type),
  );
  expect(types.sort()).toEqual([
    expect.stringMatching(/^image\/svg\+xml/),
    expect.stringMatching(/^image\/(x-icon|vnd\.microsoft\.icon)/),
  ]);

  const touchIcon = await fetchFrom(request, site.url, await linkOf(page, '[rel="apple-touch-icon"]'));
  expect(touchIcon.type).toBe('image/png');
  expect(sizeOfPng(touchIcon.body)).toEqual([180, 180]);

  expect(await linkOf(page, '[rel="manifest"]')).toBe('/site.webmanifest');
  const { type, body } = await fetchFrom(request, site.url, '/site.webmanifest');
  expect(type).toMatch(/^application\/manifest\+json/);
  const manifest = JSON.parse(body.toString()) as {
    name: string;
    icons: { src: string; sizes: string; type: string }[];
  };
  expect(manifest.name).toContain('Countersign');
  expect(manifest.icons).not.toEqual([]);
  for (const { src, sizes, type: declared } of manifest.icons) {
    const icon = await fetchFrom(request, site.url, src);
    expect(icon.type).toBe(declared);
    if (declared === 'image/png') expect(sizeOfPng(icon.body).join('x')).toBe(sizes);
  }
});

test('metadata: robots.txt allows crawlers and refers to the sitemap', async ({ request, site }) => {
  const robots = await fetchFrom(request, site.url, '/robots.txt');
  expect(robots.type).toMatch(/^text\/plain/);
  const lines = robots.body.toString().split('\n');
  expect(lines).toContain('User-agent: *');
  expect(lines).not.toContain('Disallow: /');
  expect(lines).toContain(`Sitemap: ${origin}/sitemap.xml`);

  const sitemap = await fetchFrom(request, site.url, '/sitemap.xml');
  expect(sitemap.type).toMatch(/^(application|text)\/xml/);
  expect(sitemap.body.toString()).toContain(`<loc>${origin}/</loc>`);
});
