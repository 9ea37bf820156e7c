import { html } from './html.ts';

/** The logo: an open ring with a pen stroke, without the name. Needs {@link brandMarkStyles}. */
export const brandMark = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
  <path class="ring" d="M22.6 7.1A11 11 0 1 0 22.6 24.9" />
  <path
    class="stroke"
    d="M10.2 20.6c2.2-8 5.6-11 6.1-6.6.4 3.8-.2 6.6 2 5.2 2-1.2 1.6-5 4.4-5 1.6 0 3.2.4 6.8-.6"
  />
</svg>`;

export const brandMarkStyles = `
.mark { fill: none; flex: none; height: 1.75rem; stroke-linecap: round; stroke-linejoin: round; stroke-width: 3.25; width: 1.75rem; }
.mark .ring { stroke: var(--color-accent-text); }
.mark .stroke { stroke: var(--color-seal); stroke-width: 2.5; }
`;
