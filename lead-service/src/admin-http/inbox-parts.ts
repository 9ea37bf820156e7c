import { html, type Html } from '../http/html.ts';

export function badge(word: string): Html {
  return html`<span class="badge ${word}">${word}</span>`;
}

/** A readable time in UTC. */
export function timeOf(iso: string): Html {
  const short = iso.slice(0, 16).replace('T', ' ');
  return html`<time datetime="${iso}" title="${iso}">${short}</time>`;
}

/** Options of a `<select>`. @param none label of the empty option, if there is one */
export function options(choices: readonly string[], chosen: string | undefined, none?: string): Html {
  const option = (value: string, name: string) =>
    html`<option value="${value}" ${value === (chosen ?? '') && html`selected`}>${name}</option>`;
  return html`${none !== undefined && option('', none)}${choices.map((choice) => option(choice, choice))}`;
}
