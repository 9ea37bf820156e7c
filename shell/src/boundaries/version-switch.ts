import { overrideParameter } from '@countersign/contracts/override-parameter';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { button, element } from './element.ts';
import { linkToChoice, versionsOf, boundariesParameter, type VersionChoice } from './page-versions.ts';
import type { PageBlock } from './page-blocks.ts';
import styles from './boundaries.module.css';

export interface SwitchContext {
  readonly release: ReleaseDocument;
  readonly choice: VersionChoice;
  /** Loads another URL of this page. */
  readonly open: (href: string) => void;
}

/**
 * The versions that this page may load: those of its release, whose hashes it contains. For others it shows how to get a
 * signed link, because the page must not trust a version that only a URL names.
 */
export function versionSwitch({ remote }: PageBlock, { release, choice, open }: SwitchContext): HTMLElement {
  const chosen = choice.get(remote);
  const linkTo = (version: string | undefined) => linkToChoice(location.href, choice, remote, version);
  const option = (text: string, version: string | undefined) =>
    element(
      'a',
      {
        class: styles['option'],
        href: linkTo(version),
        'aria-current': chosen === version ? 'true' : undefined,
      },
      text,
    );
  const options = [
    option('as visitors', undefined),
    ...versionsOf(release, remote).map(({ role, version }) =>
      option(`${version.version} · ${role}`, version.version),
    ),
  ];
  return element(
    'div',
    { class: styles['switch'] },
    element('p', { class: styles['hint'] }, `Load the page with ${remote}`),
    element(
      'div',
      { role: 'group', 'aria-label': `Version of ${remote}`, class: styles['options'] },
      ...options,
    ),
    otherVersion(remote, open),
  );
}

function otherVersion(remote: string, open: (href: string) => void): HTMLElement {
  const command = `npm run -s release -- override ${remote} --version <version> --site ${location.origin}`;
  const link = element('input', {
    class: styles['input'],
    'aria-label': `Signed link for ${remote}`,
    placeholder: 'Paste the link here',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const message = element('p', { class: styles['hint'], role: 'status' });
  const form = element(
    'form',
    { class: styles['form'] },
    link,
    element('button', { class: styles['button'] }, 'Open'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const token = tokenIn(link.value);
    if (token === undefined)
      message.textContent = 'This is no signed link. Paste the whole output of the command.';
    else open(withOverride(location.href, token));
  });
  const copy = button('Copy', styles['button'], () => {
    navigator.clipboard.writeText(command).then(
      () => (message.textContent = 'Copied.'),
      () => (message.textContent = 'The browser does not allow copying. Select the command instead.'),
    );
  });
  return element(
    'details',
    { class: styles['other'] },
    element('summary', {}, 'Another stored version'),
    element(
      'p',
      { class: styles['hint'] },
      'This page contains the hashes of its own release only. Any other version needs a link that an owner of the part signs:',
    ),
    element('div', { class: styles['command'] }, element('code', {}, command), copy),
    form,
    message,
  );
}

/** The token of a signed link, or a token alone. */
export function tokenIn(text: string): string | undefined {
  const token = URL.parse(text.trim())?.searchParams.get(overrideParameter) ?? text.trim();
  return /^[\w-]+\.[\w-]+$/.test(token) ? token : undefined;
}

function withOverride(href: string, token: string): string {
  const url = new URL(href);
  url.searchParams.set(boundariesParameter, '');
  url.searchParams.set(overrideParameter, token);
  return url.href;
}
