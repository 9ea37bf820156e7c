/**
 * The part of Figtree that the page needs first: the characters that `base.css` lists as the `unicode-range` of its file.
 * `npm run font -w packages/design-tokens` writes it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

const font = '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2';
export const basicFontFile = new URL('figtree-basic.woff2', import.meta.url);

/** Characters of the basic font. Text with another one loads the whole font as well. */
export function basicCharacters(): string {
  const stylesheet = readFileSync(new URL('base.css', import.meta.url), 'utf8');
  const [, ranges = ''] = /figtree-basic[^}]*unicode-range:([^;]+);/.exec(stylesheet) ?? [];
  return ranges
    .split(',')
    .map((range) => {
      const [from = Number.NaN, to = from] = range
        .trim()
        .replace('U+', '')
        .split('-')
        .map((point) => Number.parseInt(point, 16));
      return String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, index) => from + index));
    })
    .join('');
}

/** Cuts the basic font from the whole one, with kerning and tabular figures, which are all features that styles use. */
export async function cutBasicFont(): Promise<Uint8Array> {
  const whole = readFileSync(fileURLToPath(import.meta.resolve(font)));
  const options = { targetFormat: 'woff2', keepFeatures: ['kern', 'tnum'], noHinting: true } as const;
  // The names 13 and 14 are the licence and its URL.
  return subsetFont(whole, basicCharacters(), { ...options, preserveNameIds: [13, 14] });
}

if (import.meta.main) writeFileSync(basicFontFile, await cutBasicFont());
