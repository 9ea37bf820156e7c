/**
 * Which version of a remote with a canary a visitor gets is decided in the browser. So the composer puts the preload links
 * of either version into a `<template>` of its own, with these attributes, where they do nothing; a script in the shell's
 * template takes out those of the version that will be shown.
 */
export const preloadChoice = {
  /** Name of the remote. */
  remote: 'data-preload',
  /** Who gets this version: `stable` or `canary`. */
  group: 'data-group',
  /** How many of a hundred visitors get the canary. */
  percent: 'data-percent',
} as const;
