/** Reverses the direction of what follows, or hides. Nobody's name needs it. */
const deceptive = /[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;

/** What a visitor typed, on one line and without what a terminal or a mail header would obey. */
export function onOneLine(typed: string): string {
  return typed
    .replaceAll(deceptive, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

/** What a visitor typed, each line marked as quoted, so that none passes for a line of ours. */
export function quoted(typed: string): string {
  return typed
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => `> ${onOneLine(line)}`.trimEnd())
    .join('\n');
}
