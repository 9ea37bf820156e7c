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
