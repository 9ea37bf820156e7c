import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brand } from '@countersign/contracts/brand';
import {
  documentTemplateFile,
  notFoundTemplateFile,
  previewStylesFile,
  publicFolder,
  siteOriginPlaceholder,
} from '@countersign/contracts/part-manifest';
import { tokens } from '@countersign/design-tokens';
import { documentTemplate } from './document-template.ts';
import { description, landingMetadata, notFoundMetadata } from './head-metadata.ts';
import { landingBody, notFoundBody } from './page-bodies.ts';

const background = tokens['color-background'];

const webManifest = {
  name: brand,
  short_name: brand,
  description,
  start_url: '/',
  display: 'browser',
  background_color: background,
  theme_color: background,
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
};

const robots = `User-agent: *
Allow: /

Sitemap: ${siteOriginPlaceholder}/sitemap.xml
`;

/** The contact for reports of vulnerabilities (RFC 9116). It expires, so renew the date each year. */
const securityTxt = `Contact: mailto:security@countersign.example
Expires: 2027-11-01T00:00:00.000Z
Preferred-Languages: en
Canonical: ${siteOriginPlaceholder}/.well-known/security.txt
`;

const sitemap = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>${siteOriginPlaceholder}/</loc></url>
</urlset>
`;

/**
 * Files of the shell's build that do not come from webpack: the page templates and the files at the root of the
 * site.
 */
export function documentFiles(): Record<string, string | Uint8Array> {
  const folder = join(import.meta.dirname, '..', '..', 'public');
  const pictures = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const);
  const publicFiles = Object.entries({
    ...Object.fromEntries(pictures),
    '.well-known/security.txt': securityTxt,
    'robots.txt': robots,
    'site.webmanifest': `${JSON.stringify(webManifest, null, 2)}\n`,
    'sitemap.xml': sitemap,
  });
  return {
    [documentTemplateFile]: documentTemplate({ metadata: landingMetadata, body: landingBody }),
    [notFoundTemplateFile]: documentTemplate({ metadata: notFoundMetadata, body: notFoundBody }),
    [previewStylesFile]: readFileSync(join(import.meta.dirname, 'preview.css')),
    ...Object.fromEntries(publicFiles.map(([name, content]) => [`${publicFolder}${name}`, content])),
  };
}
