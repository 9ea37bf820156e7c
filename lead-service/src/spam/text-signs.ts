/** How many addresses of pages stand in a text. Each pattern is read once from left to right, however long the text. */
export function countLinks(text: string): number {
  return text.match(/\bhttps?:\/\/|(?<!\/)\bwww\./gi)?.length ?? 0;
}

/** Links as forums and mails write them. No contact form shows them as links. */
export function hasMarkup(text: string): boolean {
  return /<a\s|\[url[=\]]|\[link[=\]]/i.test(text);
}

const mostEqualCharacters = 30;
const fewWords = 20;

/** Whether a long text is mostly one character or one word. */
export function isRepetitive(text: string): boolean {
  if (text.length < mostEqualCharacters) return false;
  return hasRun(text) || hasPrevailingWord(text);
}

/** Lines drawn with `-`, `=`, `_`, `*`, `.` and spaces are how people divide a text. */
function hasRun(text: string): boolean {
  let run = 0;
  let last = '';
  for (const character of text) {
    run = character === last ? run + 1 : 1;
    last = character;
    if (run > mostEqualCharacters && !'-=_*.~# '.includes(character)) return true;
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

/** Whether a word has letters of two alphabets that look alike, as in a name that imitates another. */
export function mixesScripts(text: string): boolean {
  return text
    .split(/[\s-]+/)
    .some((word) => /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word));
}
