/** Trusted markup, which is not escaped. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Content = Html | string | false | undefined | readonly Html[];

/** Template tag that builds markup. Escapes strings and omits `false` and `undefined`. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(String.raw({ raw: strings }, ...contents.map(markupOf)));
}

function markupOf(content: Content): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Html) return content.markup;
  if (typeof content === 'string') return content.replaceAll(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`);
  return content.map(({ markup }) => markup).join('');
}
