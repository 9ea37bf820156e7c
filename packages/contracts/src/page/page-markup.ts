/**
 * Markup of slots. The shell's template has a marker for each slot, the composer replaces it by an element with
 * the markup of the live version, and the shell hydrates that element.
 */

/** Attributes of a slot element. */
export const slotAttributes = {
  /** Name of the remote. */
  remote: 'data-remote',
  /** Exposed key of the component. */
  exposed: 'data-exposed',
  /** Version of the prerendered markup. Missing if the version has none. */
  prerendered: 'data-prerendered',
  /** {@link markupHash} of the prerendered markup. */
  markupHash: 'data-markup-hash',
  /** Version whose code runs in the slot. Missing while the slot shows plain markup. */
  version: 'data-version',
  /** Set if no code will run in the slot: its controls that need code are dead. The HTML has it on `<html>` until the first script runs. */
  plain: 'data-plain',
  /** {@link SlotState}. Missing before the shell's script runs. */
  state: 'data-state',
} as const;

/**
 * What a slot does: `waiting` for its hydration trigger or for another round of attempts, `loading` the code of a version,
 * `running` a version, from the start of its rendering, or `failed`, with plain markup. Before, it is markup without a state.
 */
export type SlotState = 'waiting' | 'loading' | 'running' | 'failed';

/**
 * Tells the markup of the release from markup that a translator or a browser extension has changed. Computed on
 * the page's main thread, so it is short and not cryptographic (FNV-1a, 32 bits).
 */
export function markupHash(markup: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < markup.length; index += 1) {
    hash = Math.imul(hash ^ markup.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

/** Attributes of an inlined stylesheet. */
export const styleAttributes = {
  /** File name. The chunk loaders of webpack look for it, and load the file again if it is missing. */
  file: 'data-href',
  /** URL of the file, relative to the origin. */
  url: 'data-url',
} as const;

/** Marker of a slot in the shell's template. */
export function slotMarker(remote: string, exposed: string): string {
  return `<!--compose:slot ${remote} ${exposed}-->`;
}

/** Matches every {@link slotMarker} of a template: remote and exposed key. */
export const slotMarkers = /<!--compose:slot ([\w-]+) (\.\/[\w-]+)-->/g;

/**
 * Attributes of a canary's slot. The browser decides whether a visitor gets a canary, so the composer puts the
 * canary's slot into a `<template>` after the slot of the live version. An inline script swaps them for
 * visitors in the canary.
 */
export const canarySlotAttributes = {
  /** Name of the remote. */
  remote: 'data-canary-slot',
  /** Percentage of visitors who get the canary. */
  percent: 'data-canary-percent',
  /** Version of the canary. */
  version: 'data-canary-version',
  /** Only of a canary of several remotes: `together` of the release document. */
  together: 'data-canary-together',
} as const;

/**
 * Marks the template's inline scripts that choose between a live version and its canary. The composer leaves them out of pages
 * without a canary.
 */
export const canaryScriptAttribute = 'data-canaries';

/**
 * Data blocks in the HTML. The composer validates them; the page parses them without a schema, so that visitors
 * do not load a schema library.
 */

/** `id` of the data block that holds the `ReleaseDocument`. */
export const releaseDocumentElementId = 'release-document';

/** `id` of the data block that holds the `SiteConfig`. */
export const siteConfigElementId = 'site-config';

/**
 * `id` of the `<template>` with copies of the shell's script elements. Browsers run a script element once, and Trusted Types
 * keep an inline script from making another one.
 */
export const scriptCopiesElementId = 'script-copies';

/**
 * Attributes of inert preload links. The browser decides whether a visitor gets a canary, so the composer puts
 * the preload links of both versions into `<template>` elements. An inline script activates those of the
 * group that will be shown.
 */
export const preloadChoice = {
  /** Name of the remote. */
  remote: 'data-preload',
  /** Group that these links belong to: `stable` or `canary`. */
  group: 'data-group',
  /** Percentage of visitors who get the canary. */
  percent: 'data-percent',
  /** Version of the canary. */
  version: 'data-canary-version',
  /** As in {@link canarySlotAttributes}. */
  together: canarySlotAttributes.together,
} as const;

/**
 * Attribute of the preload link of the entry bundle: one script with the entries of all parts that load at once or when the
 * browser is idle. Its value lists for each entry the line on which it starts and its URL, separated by spaces. A page
 * without the link has no bundle, and a part whose entry is not in it loads its own file.
 */
export const bundledEntriesAttribute = 'data-entries';

/** Name of an entry bundle at the root of the site, with a hash of its content. */
export const entryBundleName = /\bentries\.[0-9a-f]{16}\.js\b/;
