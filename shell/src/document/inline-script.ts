import { minify_sync } from 'terser';

/**
 * A script element with minified code. The source texts of functions contain comments and the blanks that removed types leave,
 * which every visitor would load.
 *
 * @param attribute name of an attribute by which the composer finds the element
 */
export function inlineScript(source: string, attribute?: string): string {
  const { code } = minify_sync(source, { ecma: 2020 });
  if (code === undefined) throw new Error(`This script could not be minified: ${source}`);
  return `<script${attribute === undefined ? '' : ` ${attribute}`}>${code}</script>`;
}
