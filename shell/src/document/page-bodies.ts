import { brand } from '@countersign/contracts/brand';
import { slotMarker } from '@countersign/contracts/page-markup';
import { mainElementId } from '../page/element-ids.ts';
import { landingPageSlots } from '../page/landing-page-slots.ts';
import { inlineScript } from './inline-script.ts';

/** Element of the 404 page that shows the requested path. */
const missingPathElementId = 'missing-path';

const markerOf = ({ remote, exposed }: { readonly remote: string; readonly exposed: string }) =>
  slotMarker(remote, exposed);

/** Body of the landing page: its slots, in order. The composer inserts the markup of the parts. */
export const landingBody = [
  `<a class="skip-link" href="#${mainElementId}">Skip to content</a>`,
  ...landingPageSlots.header.map(markerOf),
  `<main id="${mainElementId}" tabindex="-1">`,
  ...landingPageSlots.main.map(markerOf),
  '</main>',
  ...landingPageSlots.footer.map(markerOf),
].join('\n');

/**
 * Shows the requested path on the 404 page. The source text is inlined in the HTML, so the function must not
 * use anything outside its body.
 */
function showMissingPath(elementId: string): void {
  const element = document.getElementById(elementId);
  if (element) element.textContent = location.pathname;
}

/**
 * Body of the 404 page, for paths that are no page and no file. The wording of heading and hint is a product requirement; the site
 * has no router.
 */
export const notFoundBody = `<main class="not-found">
<h1>404 Page Not Found</h1>
<p class="not-found-hint">Did you forget to add the page to the router?</p>
<p>There is nothing at <code id="${missingPathElementId}">this address</code>.</p>
<a href="/">Back to ${brand}</a>
</main>
${inlineScript(`(${showMissingPath})("${missingPathElementId}")`)}`;
