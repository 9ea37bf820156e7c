/**
 * Attributes of inert preload links. The browser decides whether a visitor gets a canary, so the composer puts
 * the preload links of both versions into `<template>` elements. An inline script activates those of the
 * variant that will be shown.
 */
export const preloadChoice = {
  /** Name of the remote. */
  remote: 'data-preload',
  /** Variant that these links belong to: `stable` or `canary`. */
  group: 'data-group',
  /** Percentage of visitors who get the canary. */
  percent: 'data-percent',
  /** Version of the canary. */
  version: 'data-canary-version',
} as const;
