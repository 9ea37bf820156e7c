import { brand } from '@countersign/contracts/brand';
import { slotMarker } from '@countersign/contracts/slot-markup';
import { landingPageSlots } from '../page/landing-page-slots.ts';

/** Element of the 404 page that names the address. */
export const missingPathElementId = 'missing-path';

const markerOf = ({ remote, exposed }: { readonly remote: string; readonly exposed: string }) =>
  slotMarker(remote, exposed);

/** The page at `/`: nothing but its slots, in order. The composer puts the markup of the parts in. */
export const landingBody = [
  '<a class="skip-link" href="#main">Skip to content</a>',
  ...landingPageSlots.header.map(markerOf),
  '<main id="main" tabindex="-1">',
  ...landingPageSlots.main.map(markerOf),
  '</main>',
  ...landingPageSlots.footer.map(markerOf),
].join('\n');

/** Writes the path into the 404 page. Its source text is inlined in the HTML, so it may use nothing from outside its own body. */
function showMissingPath(elementId: string): void {
  const element = document.getElementById(elementId);
  if (element) element.textContent = location.pathname;
}

/** Any path but `/`. The server answers with status 404. */
export const notFoundBody = `<main class="not-found">
<h1>404 Page Not Found</h1>
<p class="not-found-hint">Did you forget to add the page to the router?</p>
<p>There is nothing at <code id="${missingPathElementId}">this address</code>.</p>
<a href="/">Back to ${brand}</a>
</main>
<script>(${showMissingPath})("${missingPathElementId}")</script>`;
