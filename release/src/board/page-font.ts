import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { ReleaseStore } from '../store/release-store.ts';

const fontFace = /@font-face\s*\{([^}]*)\}/g;

/**
 * The `@font-face` rule of the live page's font with the file as a data URL, so that the board looks like the page and
 * loads nothing. Empty if the shell has none: then the fonts of the system apply.
 */
export async function readPageFont(
  store: ReleaseStore,
  { version, styles }: Pick<ReleaseDocument['shell'], 'version' | 'styles'>,
): Promise<string> {
  try {
    for (const { url } of styles) {
      const css = await store.readFile('shell', version, url.replace(`/shell/${version}/`, ''));
      for (const [, rule = ''] of css.matchAll(fontFace)) {
        const [, file] = /url\(["']?([\w.-]+\.woff2)["']?\)/.exec(rule) ?? [];
        // The rule is composed of checked words only, because a stylesheet is untrusted.
        const [, family] = /font-family:\s*["']?([\w -]+)/.exec(rule) ?? [];
        const [, weight = '400'] = /font-weight:\s*([\d ]+)/.exec(rule) ?? [];
        if (file === undefined || family === undefined) continue;
        const bytes = Buffer.from(await store.readBytes('shell', version, file)).toString('base64');
        return `@font-face{font-family:'${family}';font-weight:${weight.trim()};font-display:swap;src:url(data:font/woff2;base64,${bytes})format('woff2')}\n`;
      }
    }
  } catch {
    // A missing file must not prevent the board.
  }
  return '';
}
