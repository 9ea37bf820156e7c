/**
 * How the page is put together from slots: the shell's template holds a marker for each, the composer replaces it by an
 * element with the markup of the live version, and the shell hydrates that element.
 */

/** Attributes of the element of a slot. */
export const slotAttributes = {
  /** Name of the remote. */
  remote: 'data-remote',
  /** Exposed key of the component. */
  exposed: 'data-exposed',
  /** Version whose markup the composer has put in. Missing where the version has none. */
  prerendered: 'data-prerendered',
  /** Version whose code runs in the slot. Missing as long as the markup stands there alone. */
  version: 'data-version',
} as const;

/** Attributes of the `<style>` that stands in the page in the place of a stylesheet. */
export const styleAttributes = {
  /** Name of the file. The loaders of webpack builds look for it, and load it again if it is missing. */
  file: 'data-href',
  /** Address of the file, relative to the origin. */
  url: 'data-url',
} as const;

/** What stands in the shell's template in the place of a slot. */
export function slotMarker(remote: string, exposed: string): string {
  return `<!--compose:slot ${remote} ${exposed}-->`;
}

/** Finds every {@link slotMarker} of a template: remote and exposed key. */
export const slotMarkers = /<!--compose:slot ([\w-]+) (\.\/[\w-]+)-->/g;

/**
 * Which version of a remote with a canary a visitor gets is decided in the browser. So the canary's slot stands in a
 * `<template>` with these attributes, right after the slot of the live version; a script in the shell's template puts it
 * in that one's place for the visitors who get it.
 */
export const canarySlotAttributes = {
  /** Name of the remote. */
  remote: 'data-canary-slot',
  /** How many of a hundred visitors get the canary. */
  percent: 'data-canary-percent',
} as const;
