import { brand } from '@countersign/contracts/brand';
import { siteConfigElementId } from '@countersign/contracts/data-blocks';
import { documentMarkers } from '@countersign/contracts/part-manifest';
import { tokensStylesheet } from '@countersign/design-tokens';
import { preloadScript, showCanariesScript } from '../canary/canary-scripts.ts';
import { earlyPressesScript } from '../slot/early-presses.ts';
import { beginSplashScript, endSplashScript } from '../splash/splash-scripts.ts';
import { applyThemeBeforePaint } from '../theme/apply-theme-before-paint.ts';
import { themeStorageKey } from '../theme/theme-storage.ts';
import { overlaysElementId, rootElementId, splashElementId } from './element-ids.ts';
import { splashStyles } from './splash-styles.ts';

interface DocumentParts {
  /** Elements of the head that say what the page is. */
  readonly metadata: string;
  /** What the page shows, with a marker in the place of each slot. */
  readonly body: string;
}

/**
 * A page as the composer gets it. Everything that the first paint needs is in it, so that the splash is there with the
 * first bytes, in the visitor's theme. Without script the splash does not show, and the page is plain HTML; with it, the
 * page shows after two seconds even if the shell's own script never comes.
 */
export function documentTemplate({ metadata, body }: DocumentParts): string {
  const themeScript = `(${applyThemeBeforePaint})(${JSON.stringify([themeStorageKey, siteConfigElementId]).slice(1, -1)})`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${documentMarkers.policy}
<meta name="viewport" content="width=device-width, initial-scale=1">
${metadata}
<style>${tokensStylesheet()}
${splashStyles(splashElementId)}</style>
${documentMarkers.head}
<script>${themeScript}</script>
<script>${preloadScript}</script>
</head>
<body>
<div id="${splashElementId}" role="status">
<svg viewBox="0 0 64 64" width="64" height="64" aria-hidden="true"><path d="M6 44c8-18 15-29 21-28 7 1-5 27 1 28 5 1 9-14 14-14 4 0 0 10 4 11 3 1 7-4 12-9"/></svg>
<p>${brand}</p>
</div>
<div id="${rootElementId}">
<script>${beginSplashScript};${earlyPressesScript}</script>
${body}
</div>
<div id="${overlaysElementId}"></div>
${documentMarkers.scripts}
<script>${showCanariesScript};${endSplashScript}</script>
</body>
</html>
`;
}
