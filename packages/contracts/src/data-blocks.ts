/**
 * Elements of the HTML that hold data as JSON. The composer writes them according to their schemas; the page reads them
 * without, so that no visitor fetches a schema library.
 */

/** `id` of the data block that holds the `ReleaseDocument`. */
export const releaseDocumentElementId = 'release-document';

/** `id` of the data block that holds the `SiteConfig`. */
export const siteConfigElementId = 'site-config';
