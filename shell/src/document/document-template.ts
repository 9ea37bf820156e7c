import { siteConfigElementId } from '@countersign/contracts/data-blocks';
import { brand } from '@countersign/contracts/brand';
import { documentMarkers } from '@countersign/contracts/part-manifest';
import { tokensStylesheet } from '@countersign/design-tokens';
import { preloadScript } from '../canary/preload-script.ts';
import { applyThemeBeforePaint } from '../theme/apply-theme-before-paint.ts';
import { themeStorageKey } from '../theme/theme-storage.ts';
import { rootElementId, splashElementId } from './element-ids.ts';
import { formWithoutScript } from './form-without-script.ts';
import { splashStyles } from './splash-styles.ts';
import { stylesWithoutScript } from './styles-without-script.ts';

/**
 * A page as the composer gets it, with the `metadata` elements in its head: everything the first paint needs is in it, so that the splash is there with the
 * first bytes, in the visitor's theme.
 */
export function documentTemplate(metadata: string): string {
  const themeScript = `(${applyThemeBeforePaint})(${JSON.stringify([themeStorageKey, siteConfigElementId]).slice(1, -1)})`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${documentMarkers.policy}
<meta name="viewport" content="width=device-width, initial-scale=1">
${metadata}
<style>${tokensStylesheet()}
${splashStyles(splashElementId)}
${stylesWithoutScript(splashElementId)}</style>
${documentMarkers.head}
<script>${themeScript}</script>
<script>${preloadScript}</script>
</head>
<body>
<div id="${splashElementId}" role="status">
<svg viewBox="0 0 64 64" width="64" height="64" aria-hidden="true"><path d="M6 44c8-18 15-29 21-28 7 1-5 27 1 28 5 1 9-14 14-14 4 0 0 10 4 11 3 1 7-4 12-9"/></svg>
<p>${brand}</p>
<p class="late">This takes longer than usual. Check your connection, or reload the page.</p>
</div>
<noscript>${formWithoutScript}</noscript>
<div id="${rootElementId}" inert></div>
${documentMarkers.scripts}
</body>
</html>
`;
}
