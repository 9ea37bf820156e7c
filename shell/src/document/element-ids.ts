/** Element that holds the page. `inert` while the splash covers it. */
export const rootElementId = 'root';

/** Element that the shell renders notices, its overlay and the banner of overrides into. */
export const overlaysElementId = 'overlays';

/** Element that the visitor sees first. It is part of the HTML and is removed when its time is over. */
export const splashElementId = 'splash';
