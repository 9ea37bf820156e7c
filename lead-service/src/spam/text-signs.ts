/** Counts the URLs in a text. The pattern needs one pass, so that long texts cannot cause catastrophic backtracking. */
export function countLinks(text: string): number {
  return text.match(/\bhttps?:\/\/|(?<!\/)\bwww\./gi)?.length ?? 0;
}

/** Whether a text has link markup of HTML or BBCode, which contact forms do not render. */
export function hasMarkup(text: string): boolean {
  return /<a\s|\[url[=\]]|\[link[=\]]/i.test(text);
}

const maxEqualCharacters = 30;
const fewWords = 20;

/** Whether a long text consists mostly of one character or one word. */
export function isRepetitive(text: string): boolean {
  if (text.length < maxEqualCharacters) return false;
  return hasRun(text) || hasPrevailingWord(text);
}

/** Allows runs of `-`, `=`, `_`, `*`, `.`, `~`, `#` and spaces, because people use them as separators. */
function hasRun(text: string): boolean {
  let run = 0;
  let last = '';
  for (const character of text) {
    run = character === last ? run + 1 : 1;
    last = character;
    if (run > maxEqualCharacters && !'-=_*.~# '.includes(character)) return true;
  }
  return false;
}

function hasPrevailingWord(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length < fewWords) return false;
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Math.max(...counts.values()) * 2 > words.length;
}

/**
 * Whether a text has characters that hide or reorder others. Persian and Hebrew names may need joiners and directional
 * marks, and emoji a joiner, so these do not count.
 */
export function hidesText(text: string): boolean {
  return /[\u200B\u202A-\u202E\u2060-\u2069\uFEFF]/.test(text);
}

/** Whether a word mixes look-alike alphabets, as homoglyph attacks do. */
export function mixesScripts(text: string): boolean {
  return text
    .split(/[\s-]+/)
    .some((word) => /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word));
}
