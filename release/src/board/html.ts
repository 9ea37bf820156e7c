import { escapeHtml } from '../platform/escape-html.ts';
import { printableLine } from '../platform/printable.ts';

/** HTML that needs no escaping: made by {@link html}, or a constant of this program. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Content = Markup | string | number | undefined | false | readonly Content[];

/** Template tag that escapes every string: reasons, names and versions are untrusted. `undefined` and `false` are omitted. */
export function html(texts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  const rest = contents.map((content, index) => `${textOf(content)}${texts[index + 1] ?? ''}`);
  return new Markup([texts[0] ?? '', ...rest].join(''));
}

function textOf(content: Content): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Markup) return content.text;
  if (typeof content === 'object') return content.map(textOf).join('');
  // Bidirectional formatting characters could make a version look like another one.
  return escapeHtml(printableLine(String(content)));
}
