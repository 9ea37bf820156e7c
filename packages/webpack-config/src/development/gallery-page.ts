import type { RemoteDefinition } from '@countersign/contracts/remotes';
import { tokensStylesheet } from '@countersign/design-tokens';
import { developmentFolderOf } from './create-development-config.ts';

/** Widths of the windows in which each component is shown: phone, tablet, desktop. CSS pixels. */
const widths = [390, 820, 1280] as const;
const themes = ['light', 'dark'] as const;

/** File with the page of one component, in the build of its remote. */
export const frameFile = 'frame.html';

/**
 * The page with every exposed component of the remotes, in all themes and widths.
 *
 * @param eventPath path of the stream of updates
 */
export function galleryPage(remotes: readonly RemoteDefinition[], eventPath: string): string {
  const names = remotes.map(({ name }) => name).join(', ');
  const sections = remotes.flatMap(({ name, exposes }) =>
    Object.keys(exposes).map((exposed) => componentSection(name, exposed)),
  );
  return htmlPage(
    `${names}: components`,
    'gallery',
    `<body data-events="${eventPath}">
<main>
<h1>${names}</h1>
<p>Each component alone, with a stub of the page's services. A saved change appears at once.</p>
${sections.join('\n')}
</main>
<aside aria-labelledby="calls-title">
<h2 id="calls-title">Calls of ShellApi</h2>
<div role="log" aria-labelledby="calls-title"><ol id="calls"></ol></div>
</aside>
</body>`,
  );
}

function componentSection(remote: string, exposed: string): string {
  const id = `${remote}-${exposed.replace('./', '')}`;
  const figures = widths.flatMap((width) =>
    themes.map((theme) => {
      const query = new URLSearchParams({ exposed, theme, width: String(width) });
      const address = `${developmentFolderOf(remote)}${frameFile}?${query}`.replaceAll('&', '&amp;');
      return `<figure>
<figcaption>${width} px, ${theme}<a href="${address}" target="_blank">Open in a tab</a></figcaption>
<iframe src="${address}" title="${exposed}, ${theme}, ${width} px" width="${width}" height="300" loading="lazy"></iframe>
</figure>`;
    }),
  );
  return `<section aria-labelledby="${id}">
<h2 id="${id}">${exposed}</h2>
${figures.join('\n')}
</section>`;
}

/**
 * The page of one component. In the gallery, its update client reads the server's events from the channel to which `gallery.ts`
 * posts them, because a browser opens at most six connections to a server and each frame would take one.
 */
export function framePage(remote: string): string {
  return htmlPage(
    remote,
    'frame',
    `<script>if (parent !== self) EventSource = function () { return new BroadcastChannel('events') }</script>
<body></body>`,
  );
}

/** @param entry webpack entry, whose `.js` and `.css` lie beside the page */
function htmlPage(title: string, entry: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${tokensStylesheet()}</style>
<link rel="stylesheet" href="${entry}.css">
<script type="module" src="${entry}.js"></script>
${body}
</html>
`;
}
