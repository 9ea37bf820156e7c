/**
 * Attribute of the preload link of the entry bundle: one script with the entries of all parts that load at once or when the
 * browser is idle. Its value lists for each entry the line on which it starts and its URL, separated by spaces. A page
 * without the link has no bundle, and a part whose entry is not in it loads its own file.
 */
export const bundledEntriesAttribute = 'data-entries';

/** Name of an entry bundle at the root of the site, with a hash of its content. */
export const entryBundleName = /\bentries\.[0-9a-f]{16}\.js\b/;
