import { partNames, type PartName } from '@countersign/contracts/remotes';
import {
  describePictures,
  pictureKey,
  readPictures,
  type PictureRecord,
} from '../check/pictures/stored-pictures.ts';
import type { AuditEntry } from '../store/audit-entry.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { html, type Markup } from './html.ts';
import { blockName } from './page-blocks.ts';

/** The pictures of a version that a change released. */
export interface ReleasedPictures {
  readonly part: PartName;
  readonly version: string;
  readonly record: PictureRecord;
}

/** Sequence number of a change → the pictures of the version that it released. Other changes are missing. */
export async function readReleasedPictures(
  store: ReleaseStore,
  history: readonly AuditEntry[],
): Promise<ReadonlyMap<number, ReleasedPictures>> {
  const released = history.map(async (entry): Promise<[number, ReleasedPictures][]> => {
    const part = partNames.find((name) => name === entry.part);
    const version = releasedVersion(entry);
    if (part === undefined || version === undefined) return [];
    const record = await readPictures(store, part, version);
    const [liveBefore, canaryBefore] = versionsIn(entry.from);
    // A later check may have compared the version with another one. A canary that is raised or promoted is not new.
    const isOfThisChange = record && record.live === liveBefore && canaryBefore !== version;
    return isOfThisChange ? [[entry.sequence, { part, version, record }]] : [];
  });
  return new Map((await Promise.all(released)).flat());
}

/** The live version and the canary in a field of the log: `1.0.0, 1.1.0 for 10 %`. */
function versionsIn(text = ''): readonly (string | undefined)[] {
  return text.split(', ').map((named) => named.split(' ', 1)[0]);
}

function releasedVersion({ action, to }: AuditEntry): string | undefined {
  const [live, canary] = versionsIn(to);
  if (action === 'promote') return live;
  return action === 'canary' ? canary : undefined;
}

/** Each changed block, live beside released, with the difference. Relative URLs suit the served board and the stored file. */
export function picturesDetails({ part, version, record }: ReleasedPictures): Markup {
  const { changed, live } = record;
  const found = `${version} ${describePictures(record)}`;
  if (changed.length === 0) return html`<p class="detail">${found}</p>`;
  const captions = { live: `Live, ${live}`, candidate: `Released, ${version}`, difference: 'Difference' };
  return html`<details class="pictures">
    <summary>${found}</summary>
    ${changed.map(
      ({ name, sides }) =>
        html`<h3>${titleOf(name)}</h3>
          <div class="sides">
            ${sides.map((side) => {
              const file = `../${pictureKey(part, version, name, side)}`;
              return html`<figure>
                <a href="${file}"
                  ><img src="${file}" loading="lazy" alt="${`${titleOf(name)}: ${captions[side]}`}"
                /></a>
                <figcaption>${captions[side]}</figcaption>
              </figure>`;
            })}
          </div>`,
    )}
  </details>`;
}

/** `pricing-390-dark` → `Pricing, 390 px, dark`. */
function titleOf(name: string): string {
  const [, block = name, width, theme] = /^(.+)-(\d+)-(light|dark)$/.exec(name) ?? [];
  return `${blockName(block)}, ${width} px, ${theme}`;
}
