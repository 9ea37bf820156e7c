import { ReleaseFault } from '../release-fault.ts';

/**
 * A stylesheet, fit to stand in a page: addresses of files are made absolute. Throws a {@link ReleaseFault} for one that would
 * end its element.
 *
 * @param prefix what stands before the name of each file in its address
 */
export function pageStyles(css: string, prefix: string): string {
  if (/<\/style/i.test(css)) {
    throw new ReleaseFault(`A stylesheet of ${prefix} contains "</style". Remove it and publish it again.`);
  }
  return css
    .replace(/\/\*# sourceMappingURL=.*?\*\//g, '')
    .replace(/url\((?!["']?(?:data:|#|\/|https?:))["']?([^"')]+)["']?\)/g, `url(${prefix}$1)`);
}
