/** Characters that a terminal interprets: control characters and bidirectional formatting characters. */
const controlCharacters = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Escapes untrusted text for one line of a terminal. Control characters become `\u001b` and the like. */
export function printableLine(text: string): string {
  return text.replace(controlCharacters, escape);
}

/** Escapes untrusted text, and keeps line breaks. */
export function printable(text: string): string {
  return text.split('\n').map(printableLine).join('\n');
}

/** Returns a function that prints lines of a program that runs until it is stopped, each after its name. */
export function linePrinter(program: string, write = console.log): (line: string) => void {
  return (line) => write(`${program}: ${printableLine(line)}`);
}

/** Formats a value as JSON without control characters. It parses to the same value. */
export function printableJson(value: unknown): string {
  // JSON escapes only some of these characters in strings. Outside of strings, line breaks are the only ones.
  return printable(JSON.stringify(value, null, 2));
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
