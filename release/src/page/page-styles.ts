import { ReleaseError } from '../platform/release-error.ts';

/**
 * Prepares a stylesheet for inlining: makes its URLs absolute. Throws a {@link ReleaseError} if it contains `</style`, which
 * earlier versions of this program have published.
 *
 * @param prefix path of the version's files
 */
export function pageStyles(css: string, prefix: string): string {
  if (/<\/style/i.test(css)) {
    throw new ReleaseError(
      `A stylesheet of ${prefix} contains "</style". Remove it and publish the part under a new version.`,
    );
  }
  return css
    .replace(/\/\*# sourceMappingURL=.*?\*\//g, '')
    .replace(/url\((?!["']?(?:data:|#|\/|https?:))["']?([^"')]+)["']?\)/g, `url(${prefix}$1)`);
}
