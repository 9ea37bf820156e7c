import type { SiteReader } from '../check/browser/site-reader.ts';

/** A site whose page has this body. Its other files are made at each read. */
export const siteWithBody = (
  body: string,
  files: Readonly<Record<string, () => string>> = {},
): SiteReader => ({
  origin: 'https://www.example.com',
  appHost: 'https://app.example',
  read(path) {
    const html = `<!doctype html><html lang="en"><head><title>Sample</title></head>${body}</html>`;
    const file = path === '/' ? html : files[path]?.();
    return Promise.resolve(file === undefined ? undefined : { body: file, headers: {} });
  },
});
