import { rootElementId, splashElementId } from '../document/element-ids.ts';

/** How long the splash covers the page, in milliseconds since the document started. */
export const splashDuration = 2000;

/** Milliseconds until the splash ends; 0 once it has. `performance.now()` counts from the document's start. */
export function splashTimeLeft(): number {
  return Math.max(0, splashDuration - performance.now());
}

/** Resolves when the splash has had its time and has been removed. */
export async function endSplash(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, splashTimeLeft()));
  document.getElementById(splashElementId)?.remove();
  document.getElementById(rootElementId)?.removeAttribute('inert');
}
