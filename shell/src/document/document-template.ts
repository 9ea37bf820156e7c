import { brand } from '@countersign/contracts/brand';
import { documentMarkers } from '@countersign/contracts/part-manifest';
import { siteConfigElementId } from '@countersign/contracts/site-config';
import { tokensStylesheet } from '@countersign/design-tokens';
import { applyThemeBeforePaint } from '../theme/apply-theme-before-paint.ts';
import { themeStorageKey } from '../theme/theme-storage.ts';
import { rootElementId, splashElementId } from './element-ids.ts';
import { splashStyles } from './splash-styles.ts';

const title = `${brand} – Professional Document Forms and Digital Signing Platform`;
const description = `Build smart forms, send documents for signature and keep every signed copy in a secure vault with a full audit trail. Start a free 30-day trial of ${brand}, no credit card required.`;

/**
 * The page as the composer gets it: everything the first paint needs is in it, so that the splash is there with the
 * first bytes, in the visitor's theme.
 */
export function documentTemplate(): string {
  const themeScript = `(${applyThemeBeforePaint})(${JSON.stringify([themeStorageKey, siteConfigElementId]).slice(1, -1)})`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%27http://www.w3.org/2000/svg%27 viewBox=%270 0 64 64%27%3E%3Cpath d=%27M6 44c8-18 15-29 21-28 7 1-5 27 1 28 5 1 9-14 14-14 4 0 0 10 4 11 3 1 7-4 12-9%27 fill=%27none%27 stroke=%27%232a3fd6%27 stroke-width=%277%27 stroke-linecap=%27round%27/%3E%3C/svg%3E">
<style>${tokensStylesheet()}
${splashStyles(splashElementId)}</style>
${documentMarkers.head}
<script>${themeScript}</script>
</head>
<body>
<div id="${splashElementId}" role="status">
<svg viewBox="0 0 64 64" width="64" height="64" aria-hidden="true"><path d="M6 44c8-18 15-29 21-28 7 1-5 27 1 28 5 1 9-14 14-14 4 0 0 10 4 11 3 1 7-4 12-9"/></svg>
<p>${brand}</p>
<p class="late">This takes longer than usual. Check your connection, or reload the page.</p>
</div>
<noscript><p class="notice">${brand} needs JavaScript to show this page. Please switch it on and reload.</p></noscript>
<div id="${rootElementId}" inert></div>
${documentMarkers.scripts}
</body>
</html>
`;
}
