/** The element around header, main content and footer. `inert` while the splash covers it. */
export const rootElementId = 'root';

/**
 * The element around toasts and loading overlay. An open modal dialog hides all other elements
 * from screen readers, except those with `aria-live`, so the template sets that attribute.
 */
export const overlaysElementId = 'overlays';

/** The splash. It is part of the HTML, and an inline script removes it. */
export const splashElementId = 'splash'; // blind spot: only the template and inlined scripts read it.

/** Tells screen readers that the page is loading, and when it is ready. It is outside of what is `inert` meanwhile. */
export const loadingStatusElementId = 'loading-status'; // blind spot: only the template and inlined scripts read it.

/** The content of the page, between header and footer. Target of the skip link. */
export const mainElementId = 'main';

/** Attribute of `<html>`, for `page.css`: the sections below the window are not laid out yet, and have guessed heights. */
export const lazyLayoutAttribute = 'data-lazy-layout';
