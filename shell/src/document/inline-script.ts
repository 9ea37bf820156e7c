import { minify_sync } from 'terser';

/**
 * A script element with minified code. The source texts of functions contain comments and the blanks that removed types leave,
 * which every visitor would load.
 */
export function inlineScript(source: string): string {
  const { code } = minify_sync(source, { ecma: 2020 });
  if (code === undefined) throw new Error(`This script could not be minified: ${source}`);
  return `<script>${code}</script>`;
}
