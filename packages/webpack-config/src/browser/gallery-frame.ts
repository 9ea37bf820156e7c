/// <reference lib="dom" />
import '@countersign/design-tokens/base.css';
import type { SlotModule } from '@countersign/contracts/shell-api';
import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { themePreferences, type ThemePreference } from '@countersign/contracts/theme-preference';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

const query = new URLSearchParams(location.search);
const exposed = query.get('exposed') ?? '';
const { dataset: rootData } = document.documentElement;
const root = document.body.appendChild(document.createElement('div'));

setTheme(preferenceOf(query.get('theme')));
document.title = `${exposed}, ${query.get('theme')}, ${query.get('width')} px`;

function preferenceOf(value: unknown): ThemePreference {
  return themePreferences.find((known) => known === value) ?? 'system';
}

function setTheme(preference: ThemePreference): void {
  if (preference === 'system') delete rootData['theme'];
  else rootData['theme'] = preference;
}

/** Shows a call of the page in the gallery, or in the console of a tab of its own. */
function showCall(method: string, ...values: readonly unknown[]): void {
  const call = `${method}(${values.map(textOf).join(', ')})`;
  if (parent === self) console.info(call);
  else parent.dispatchEvent(new CustomEvent('call', { detail: { call, frame: document.title } }));
}

/** A value as JSON, or as text if it has no JSON, such as an event. Never throws, because no function of `ShellApi` does. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

function showError(error: unknown): void {
  const text = document.createElement('p');
  text.setAttribute('role', 'alert');
  text.textContent = `${document.title}: ${error instanceof Error ? error.message : String(error)}`;
  document.body.append(text);
}

const withoutAnchor = (url: string) => url.split('#', 1)[0];

// Navigation would replace the component.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!(link instanceof HTMLAnchorElement) || !link.href || event.defaultPrevented) return;
  if (withoutAnchor(link.href) === withoutAnchor(location.href)) return;
  event.preventDefault();
  showCall('link', link.href);
});
document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return;
  // Attributes, because a field of the same name hides the property.
  const attribute = (name: string) => submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name);
  const method = attribute('method')?.toLowerCase() ?? 'get';
  if (method === 'dialog') return;
  event.preventDefault();
  showCall('form', method, attribute('action') ?? '');
});

/**
 * Shows the component that the address names.
 *
 * @param exposes exposed key → import of its module
 */
export async function showComponent(
  exposes: Readonly<Record<string, () => Promise<SlotModule>>>,
): Promise<void> {
  const module = await exposes[exposed]?.().catch(showError);
  if (!module) return;
  const reactRoot = createRoot(root, { onUncaughtError: showError });
  const render = (preference: ThemePreference) => {
    const shell = createShellStub(
      (method) =>
        (...values) => {
          showCall(method, ...values);
          if (method !== 'theme.setPreference') return;
          setTheme(preferenceOf(values[0]));
          render(preferenceOf(values[0]));
        },
      { preference },
    );
    reactRoot.render(createElement(module.default, { shell }));
  };
  render(preferenceOf(query.get('theme')));
}
