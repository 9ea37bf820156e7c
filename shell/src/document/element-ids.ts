/** Element that React renders into. `inert` while the splash covers it. */
export const rootElementId = 'root';

/** Element that the visitor sees first. It is part of the HTML and is removed when its time is over. */
export const splashElementId = 'splash';
