import { expect, test } from '../site/site-test.ts';

test('named files: those in the head, the manifest and robots.txt are served with their types', async ({
  request,
  site,
}) => {
  const read = async (path: string) => request.get(site.url + path, { headers: { accept: '*/*' } });
  const page = await (await read('/')).text();
  const manifest = await (await read('/site.webmanifest')).text();
  const robots = await (await read('/robots.txt')).text();
  const types = new Map<string, string | undefined>();
  // Top-level files: a path in quotes, or after the site's origin in quotes or in the line `Sitemap:`.
  for (const [, path = ''] of `${page} ${manifest} ${robots}`.matchAll(
    /(?:"|"https:\/\/www\.countersign\.example|Sitemap: https:\/\/www\.countersign\.example)(\/[\w-]+\.\w+)(?=["\s])/g,
  )) {
    const answer = await read(path);
    expect.soft(answer.status(), path).toBe(200);
    types.set(path, answer.headers()['content-type']?.replace(/;.*/, ''));
  }
  expect(Object.fromEntries(types)).toEqual({
    '/apple-touch-icon.png': 'image/png',
    '/favicon.ico': expect.stringMatching(/^image\/(x-icon|vnd\.microsoft\.icon)$/),
    '/favicon.svg': 'image/svg+xml',
    '/icon-192.png': 'image/png',
    '/icon-512.png': 'image/png',
    '/site.webmanifest': 'application/manifest+json',
    '/sitemap.xml': expect.stringMatching(/^(application|text)\/xml$/),
    '/social-card.png': 'image/png',
  });
});
