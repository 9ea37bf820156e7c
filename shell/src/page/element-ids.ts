/** Root element of the page. `inert` while the splash covers it. */
export const rootElementId = 'root';

/**
 * Root element of toasts, loading overlay and override banner. An open modal dialog hides all other elements
 * from screen readers, except those with `aria-live`, so the template sets that attribute.
 */
export const overlaysElementId = 'overlays';

/** The splash. It is part of the HTML, and an inline script removes it. */
export const splashElementId = 'splash';
