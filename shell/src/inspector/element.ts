/** Creates an element. Text stays text, so nothing that a part or a release contains becomes markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) created.setAttribute(key, value);
  }
  created.append(...children);
  return created;
}

export function button(
  label: string,
  className: string | undefined,
  onClick: () => void,
  attributes: Readonly<Record<string, string | undefined>> = {},
): HTMLButtonElement {
  const created = element('button', { type: 'button', class: className, ...attributes }, label);
  created.addEventListener('click', onClick);
  return created;
}
