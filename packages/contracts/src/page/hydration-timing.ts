/**
 * When the page loads and hydrates an exposed component. Its markup is in the page from the start.
 *
 * - `load`: immediately. For controls at the top of the page.
 * - `idle`: in an idle callback.
 * - `visible`: when the component comes near the viewport, or on the first interaction with it.
 * - `interaction`: on the first interaction. For content that works as plain HTML.
 */
export const hydrationTimings = ['load', 'idle', 'visible', 'interaction'] as const;
export type HydrationTiming = (typeof hydrationTimings)[number];
