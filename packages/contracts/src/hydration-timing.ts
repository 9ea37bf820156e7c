/**
 * When the page loads and hydrates an exposed component, whose markup is in the page from the start:
 *
 * - `load`: at once. For what visitors use first.
 * - `idle`: when the browser has nothing else to do.
 * - `visible`: when the component comes near the window, or gets a press or the focus.
 * - `interaction`: on the first press in it, or when the focus comes into it. For what is useful as plain HTML.
 */
export const hydrationTimings = ['load', 'idle', 'visible', 'interaction'] as const;
export type HydrationTiming = (typeof hydrationTimings)[number];
