import type { BoardPart, BoardState, BoardVersion } from './board-state.ts';
import { ownersText, partClass, roleName, time } from './board-text.ts';
import { html, type Markup } from './html.ts';

/** Parts with their versions: live, canary, before, withdrawn. */
export function partsSection({ parts }: BoardState): Markup {
  return html`<section id="versions" aria-labelledby="versions-title">
    <h2 id="versions-title">Parts and versions</h2>
    <p class="lead">What visitors get, what they got before, and what they must never get again.</p>
    <ul class="parts">
      ${parts.map(partItem)}
    </ul>
  </section>`;
}

function partItem({ part, owners, versions }: BoardPart): Markup {
  return html`<li class="card part ${partClass(part)}">
    <h3><i class="swatch" aria-hidden="true"></i>${part}</h3>
    <p class="owners">${ownersText(owners)}</p>
    ${
      versions.length > 0
        ? html`<ul class="versions">
            ${versions.map(versionItem)}
          </ul>`
        : html`<p class="empty">Not live yet. Publish and promote a version.</p>`
    }
  </li>`;
}

function versionItem({ version, role, percent, at, who, why }: BoardVersion): Markup {
  const verb = role === 'withdrawn' ? 'withdrawn' : 'published';
  return html`<li>
    <p class="version"><code>${version}</code><span class="pill ${role}">${roleName(role, percent)}</span></p>
    ${at !== undefined && html`<p class="detail">${verb} ${time(at)}${who !== undefined && html` by ${who}`}</p>`}
    ${why !== undefined && html`<p class="why">${why}</p>`}
  </li>`;
}
