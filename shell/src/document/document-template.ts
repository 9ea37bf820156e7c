import { brand } from '@countersign/contracts/brand';
import {
  siteConfigElementId,
  canaryScriptAttribute,
  slotAttributes,
} from '@countersign/contracts/page-markup';
import { documentMarkers } from '@countersign/contracts/part-manifest';
import { themeStorageKey } from '@countersign/contracts/shell-api';
import { tokensStylesheet } from '@countersign/design-tokens';
import { preloadScript, swapCanaryMarkupScript } from '../canary/canary-scripts.ts';
import {
  loadingStatusElementId,
  overlaysElementId,
  rootElementId,
  splashElementId,
} from '../page/element-ids.ts';
import { reportFailedStartScript } from '../page-reports/report-failed-start.ts';
import { retryShellScriptSource } from '../recovery/retry-shell-script.ts';
import { queueClicksScript } from '../slot/queued-clicks.ts';
import { inlineScript } from './inline-script.ts';
import { requireBrowserScript } from './require-browser.ts';
import { restorePlaceScript } from '../splash/restore-place.ts';
import { splashScript } from '../splash/splash-scripts.ts';
import { splashStyles } from '../splash/splash-styles.ts';
import { themeScript } from '../theme/apply-theme-before-paint.ts';

interface DocumentParts {
  /** Head elements that describe the page: title, description, links for sharing. */
  readonly metadata: string;
  /** Content of the page, with a marker for each slot. */
  readonly body: string;
}

/**
 * The HTML template that the composer completes. It inlines everything that the first paint needs, so the
 * splash shows with the first bytes, in the visitor's theme. Without JavaScript there is no splash. With it, an
 * inline script ends the splash even if the shell's script or the end of the HTML never arrive. The `<html>` element is marked
 * as plain until the first script runs.
 */
export function documentTemplate({ metadata, body }: DocumentParts): string {
  return `<!doctype html>
<html lang="en" ${slotAttributes.plain}>
<head>
<meta charset="utf-8">
${documentMarkers.policy}
<meta name="viewport" content="width=device-width, initial-scale=1">
${metadata}
<style>${tokensStylesheet()}
${splashStyles(splashElementId, loadingStatusElementId)}</style>
${inlineScript(requireBrowserScript)}
${documentMarkers.head}
${inlineScript(themeScript(themeStorageKey, siteConfigElementId))}
${inlineScript(preloadScript, canaryScriptAttribute)}
</head>
<body>
<div id="${splashElementId}">
<svg viewBox="0 0 64 64" width="64" height="64" aria-hidden="true"><path d="M6 44c8-18 15-29 21-28 7 1-5 27 1 28 5 1 9-14 14-14 4 0 0 10 4 11 3 1 7-4 12-9"/></svg>
<p>${brand}</p>
</div>
<p id="${loadingStatusElementId}" role="status"></p>
<div id="${rootElementId}">
${inlineScript(`${splashScript};${queueClicksScript};${retryShellScriptSource};${reportFailedStartScript}`)}
${body}
</div>
<div id="${overlaysElementId}" aria-live="off"></div>
${documentMarkers.scripts}
${inlineScript(swapCanaryMarkupScript, canaryScriptAttribute)}
${inlineScript(restorePlaceScript)}
</body>
</html>
`;
}
