import type { BoardState } from './board-state.ts';
import { ownersText, partClass, partLabel } from './board-text.ts';
import { html, type Markup } from './html.ts';
import type { Block } from './page-blocks.ts';

/** The blocks of the landing page from top to bottom, with part, owners and version. */
export function blocksSection({ blocks, parts, siteOrigin }: BoardState): Markup {
  return html`<section id="page" aria-labelledby="page-title">
    <h2 id="page-title">Who owns which block</h2>
    <p class="lead">
      The landing page of ${new URL(siteOrigin).host} from top to bottom, as the live shell arranges it.
    </p>
    ${
      blocks.length > 0
        ? html`<ol class="blocks">
            ${blocks.map((block) => blockItem(block, parts))}
          </ol>`
        : html`<p class="empty">The live shell has no slots, so its page is empty.</p>`
    }
  </section>`;
}

function blockItem({ name, part, version }: Block, parts: BoardState['parts']): Markup {
  const { owners = [], versions = [] } = parts.find((known) => known.part === part) ?? {};
  const canary = versions.find(({ role }) => role === 'canary');
  return html`<li class="block ${partClass(part)}">
    <h3>${name}</h3>
    <p>${partLabel(part)} <span class="owners">${ownersText(owners)}</span></p>
    <p>
      ${version === undefined ? html`<span class="missing">not live: the slot is empty</span>` : html`<code>${version}</code>`}
      ${canary && html`<span class="pill canary">${canary.version} for ${canary.percent} %</span>`}
    </p>
  </li>`;
}
