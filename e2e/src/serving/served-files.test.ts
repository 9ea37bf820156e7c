import { expect, test } from '../site/site-test.ts';

test('caching: published files are compressed and immutable; the page is revalidated', async ({
  request,
  site,
}) => {
  for (const encoding of ['br', 'gzip']) {
    const page = await request.get(site.url, { headers: { 'Accept-Encoding': encoding } });
    expect(page.headers()).toMatchObject({ 'content-encoding': encoding, 'cache-control': 'no-cache' });

    const [script = ''] = /\/shell\/[^"]+\.js/.exec(await page.text()) ?? [];
    const file = await request.get(`${site.url}${script}`, { headers: { 'Accept-Encoding': encoding } });
    expect(file.headers()).toMatchObject({
      'content-encoding': encoding,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    });
  }
});

test('proxy: leads reach the service, and its errors come back', async ({ request, site }) => {
  const answer = await request.post(`${site.url}/api/contact`, { data: { name: 'J' } });
  expect(answer.status()).toBe(422);
  expect(answer.headers()['content-type']).toContain('text/plain');
  expect(await answer.text()).toContain('Name must be at least 2 characters');
});
