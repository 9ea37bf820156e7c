import type { RemoteDefinition } from '@countersign/contracts/remotes';
import { tokensStylesheet } from '@countersign/design-tokens';
import { developmentEntry, developmentFolderOf, developmentGlobal } from './create-development-config.ts';

/** Folder of the gallery's own files, relative to the origin. */
export const galleryFolder = '/__development/gallery/';

/** Path of a frame, relative to the origin. */
export const framePath = `${galleryFolder}frame`;

/** Widths of the windows in which each component is shown: phone, tablet, desktop. CSS pixels. */
const widths = [390, 820, 1280] as const;
const themes = ['light', 'dark'] as const;

/** One component in one theme and width. */
interface Frame {
  readonly remote: RemoteDefinition;
  readonly exposed: string;
  readonly theme: (typeof themes)[number];
  readonly width: (typeof widths)[number];
}

/** The page with every exposed component of the remotes, in all themes and widths. */
export function galleryPage(remotes: readonly RemoteDefinition[]): string {
  const components = remotes.flatMap((remote) =>
    Object.keys(remote.exposes).map((exposed) => componentSection(remote, exposed)),
  );
  const names = remotes.map(({ name }) => name).join(', ');
  return htmlPage(
    `${names}: components`,
    'gallery',
    `<div class="gallery">
<main class="gallery-main">
<header class="gallery-header">
<h1>${names}</h1>
<p class="gallery-muted">Each component alone, with a stub of the page's services. A saved change appears at once.</p>
</header>
${components.join('\n')}
</main>
<aside class="gallery-calls" aria-labelledby="calls-title">
<h2 id="calls-title">Calls of ShellApi</h2>
<div role="log" aria-labelledby="calls-title"><ol id="calls"></ol></div>
</aside>
</div>`,
  );
}

function componentSection(remote: RemoteDefinition, exposed: string): string {
  const id = `${remote.name}-${exposed.replace('./', '')}`;
  const rows = widths.map(
    (width) => `<div class="gallery-width">
${themes.map((theme) => frameFigure({ remote, exposed, theme, width })).join('\n')}
</div>`,
  );
  return `<section class="gallery-component" aria-labelledby="${id}">
<h2 id="${id}">${exposed}</h2>
${rows.join('\n')}
</section>`;
}

function frameFigure(frame: Frame): string {
  const { remote, exposed, theme, width } = frame;
  const query = new URLSearchParams({ remote: remote.name, exposed, theme, width: String(width) });
  const address = `${framePath}?${query}`.replaceAll('&', '&amp;');
  return `<figure>
<figcaption class="gallery-caption"><span>${width} px, ${theme}</span><a href="${address}" target="_blank">Open in a tab</a></figcaption>
<div class="gallery-box"><iframe src="${address}" title="${frameName(frame)}" width="${width}" height="300" loading="lazy"></iframe></div>
</figure>`;
}

function frameName({ exposed, theme, width }: Frame): string {
  return `${exposed}, ${theme}, ${width} px`;
}

/**
 * The page of one frame, or `undefined` if the gallery has no such frame.
 *
 * @param eventPath path of the stream of updates
 */
export function galleryFrame(
  remotes: readonly RemoteDefinition[],
  query: URLSearchParams,
  eventPath: string,
): string | undefined {
  const remote = remotes.find(({ name }) => name === query.get('remote'));
  const exposed = Object.keys(remote?.exposes ?? {}).find((key) => key === query.get('exposed'));
  const theme = themes.find((known) => known === query.get('theme'));
  const width = widths.find((known) => String(known) === query.get('width'));
  if (!remote || exposed === undefined || !theme || !width) return undefined;
  const data = {
    container: developmentGlobal(remote.name),
    entry: `${developmentFolderOf(remote.name)}${developmentEntry}`,
    events: eventPath,
    exposed,
    frame: frameName({ remote, exposed, theme, width }),
  };
  const attributes = Object.entries(data).map(([name, value]) => `data-${name}="${value}"`);
  return htmlPage(data.frame, 'frame', '', attributes.join(' '), theme);
}

function htmlPage(title: string, script: string, body: string, attributes = '', theme?: string): string {
  return `<!doctype html>
<html lang="en"${theme === undefined ? '' : ` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${tokensStylesheet()}</style>
<link rel="stylesheet" href="${galleryFolder}${script}.css">
<script type="module" src="${galleryFolder}${script}.js"></script>
</head>
<body${attributes && ` ${attributes}`}>${body}</body>
</html>
`;
}
