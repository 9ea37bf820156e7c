import { html, type Html } from '../routes/html.ts';

export function badge(word: string): Html {
  return html`<span class="badge ${word}">${word}</span>`;
}

/** A time for people. UTC, as the whole administration. */
export function timeOf(iso: string): Html {
  const short = iso.slice(0, 16).replace('T', ' ');
  return html`<time datetime="${iso}" title="${iso}">${short}</time>`;
}

/** Options of a selection. @param none the word for no choice, if there may be none */
export function options(choices: readonly string[], chosen: string | undefined, none?: string): Html {
  const option = (value: string, name: string) =>
    html`<option value="${value}" ${value === (chosen ?? '') && html`selected`}>${name}</option>`;
  return html`${none !== undefined && option('', none)}${choices.map((choice) => option(choice, choice))}`;
}
