/// <reference lib="dom" />
import '@countersign/design-tokens/base.css';
import type { SlotModule } from '@countersign/contracts/shell-api';
import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { themePreferences, type ThemePreference } from '@countersign/contracts/theme-preference';
import * as React from 'react';
import * as ReactDom from 'react-dom';
import { createRoot } from 'react-dom/client';
import * as jsxRuntime from 'react/jsx-runtime';
import type { Gallery } from './gallery.ts';

/** Container of a remote, as webpack builds it. */
interface Container {
  init(shareScope: Readonly<Record<string, unknown>>): Promise<void>;
  get(exposed: string): Promise<() => SlotModule>;
}

/** Absent if the frame is opened in a tab of its own. */
const { gallery } = parent as Window & { readonly gallery?: Gallery };
const {
  container: globalName = '',
  entry = '',
  events = '',
  exposed = '',
  frame = '',
} = document.body.dataset;
const { dataset: page } = document.documentElement;
const root = document.body.appendChild(document.createElement('div'));
let preference = preferenceOf(page['theme']);

if (gallery) {
  const Shared = function Shared(url: string) {
    return gallery.shareEvents(new URL(url, location.href).href);
  };
  Object.assign(globalThis, { EventSource: Shared });
}

function preferenceOf(value: unknown): ThemePreference {
  return themePreferences.find((known) => known === value) ?? 'system';
}

function show(method: string, values: readonly unknown[]): void {
  if (gallery) gallery.showCall({ method, values, frame });
  else console.info(`${method}(`, ...values, ')');
}

/** Shared modules, as the shell provides them. */
function shared(module: unknown) {
  return {
    [React.version]: { get: () => Promise.resolve(() => module), loaded: 1, eager: true, from: 'gallery' },
  };
}

async function loadComponent(): Promise<SlotModule['default']> {
  await new Promise<void>((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: entry });
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error('It has errors, which stand in the terminal.')));
    document.head.append(script);
  });
  const container = Reflect.get(globalThis, globalName) as Container;
  await container.init({
    react: shared(React),
    'react-dom': shared(ReactDom),
    'react/jsx-runtime': shared(jsxRuntime),
  });
  const module = await container.get(exposed);
  return module().default;
}

function showError(error: unknown): void {
  const text = document.createElement('p');
  text.setAttribute('role', 'alert');
  text.textContent = `${frame}: ${error instanceof Error ? error.message : String(error)}`;
  document.body.append(text);
}

/** Loads the frame again after the next build, because the failed one has no client for updates. */
function reloadAfterNextBuild(): void {
  const url = new URL(events, location.href).href;
  const updates = gallery?.shareEvents(url) ?? new EventSource(url);
  updates.addEventListener('message', (event: Event) => {
    if (event instanceof MessageEvent && String(event.data).includes('"built"')) location.reload();
  });
}

const withoutAnchor = (url: string) => url.split('#', 1)[0];

// Navigation would replace the component, also to another path of this server, which shows the gallery.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!(link instanceof HTMLAnchorElement) || !link.href || event.defaultPrevented) return;
  if (withoutAnchor(link.href) === withoutAnchor(location.href)) return;
  event.preventDefault();
  show('link', [link.href]);
});
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return;
  // Attributes, because a field of the same name hides the property.
  const method = (
    event.submitter?.getAttribute('formmethod') ??
    form.getAttribute('method') ??
    'get'
  ).toLowerCase();
  if (method === 'dialog') return;
  event.preventDefault();
  show('form', [method, event.submitter?.getAttribute('formaction') ?? form.getAttribute('action') ?? '']);
});

try {
  const Component = await loadComponent();
  const reactRoot = createRoot(root, { onUncaughtError: showError });
  const render = () => {
    const shell = createShellStub(
      (method) =>
        (...values) => {
          show(method, values);
          if (method !== 'theme.setPreference') return;
          preference = preferenceOf(values[0]);
          if (preference === 'system') delete page['theme'];
          else page['theme'] = preference;
          render();
        },
      { preference },
    );
    reactRoot.render(React.createElement(Component, { shell }));
  };
  render();
} catch (error) {
  showError(error);
  reloadAfterNextBuild();
}
