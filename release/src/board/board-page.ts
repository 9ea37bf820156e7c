import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brand } from '@countersign/contracts/brand';
import type { ReleaseContent } from '@countersign/contracts/release-document';
import { stateOf, type PartVersion } from '@countersign/contracts/release-versions';
import { partNames, type PartName } from '@countersign/contracts/remotes';
import { tokensStylesheet } from '@countersign/design-tokens';
import { describePictures, describeSecondAttempts } from '../check/describe-results.ts';
import { describeEntry, nameCanary } from '../deploy/describe-change.ts';
import { describeFreezes } from '../deploy/freeze.ts';
import { ownersOf, type Owners } from '../deploy/owners.ts';
import type { LiveState } from '../store/live-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { picturePath, pictureSides, type PictureComparison } from '../store/stored-pictures.ts';
import { integrityOf } from '../platform/integrity-of.ts';
import { changedParts, type HistoryEntry } from '../store/stored-documents.ts';
import { html, Markup } from './html.ts';

/** The pictures of a version that a change released. */
interface ReleasedPictures extends PartVersion {
  readonly comparison: PictureComparison;
}

type BoardContent = Awaited<ReturnType<typeof readBoardContent>>;

/** Number of changes that are shown. */
const shownChanges = 40;

/**
 * The content of the board: the last changes, newest first, with pictures of what they released. Reads the release of each change, too,
 * because a history entry names versions for people only, and the pictures are those of a change if it replaced the same version.
 */
async function readBoardContent(store: ReleaseStore, liveState: LiveState, owners: Owners) {
  // One more, to compare with.
  const entries = await store.liveStore.recentHistory(liveState, shownChanges + 1);
  const releases = await Promise.all(entries.map(({ releaseId }) => store.readRelease(releaseId)));
  const history = entries.slice(0, shownChanges).map(async (entry, index) => {
    const pictures = await readReleasedPictures(store, entry, releases[index], releases[index + 1]);
    return [entry, pictures] as const;
  });
  const secondAttempts = await store.secondAttempts.read();
  return { liveState, owners, secondAttempts, history: await Promise.all(history) };
}

/** The pictures of the versions that a change released. None if `prune` has removed the release before or after it. */
async function readReleasedPictures(
  store: ReleaseStore,
  entry: HistoryEntry,
  after: ReleaseContent | undefined,
  before: ReleaseContent | undefined,
): Promise<readonly ReleasedPictures[]> {
  if (!after || !before || entry.action === 'rollback') return [];
  const changed = changedParts(entry);
  const reading = partNames
    .filter((part) => changed.includes(part))
    .map(async (part) => {
      const [was, now] = [before, after].map((content) => stateOf(part, content));
      const version = entry.action === 'canary' ? now?.canary?.version : now?.live;
      if (version === undefined) return [];
      const comparison = await store.pictures.read({ part, version });
      // A later check may have compared the version with another one. A canary that is raised or promoted is not new.
      const isOfThisChange = comparison?.live === was?.live && was?.canary?.version !== version;
      return comparison && isOfThisChange ? [{ part, version, comparison }] : [];
    });
  return (await Promise.all(reading)).flat();
}

const styles = `${tokensStylesheet()}\n${readFileSync(join(import.meta.dirname, 'board.css'), 'utf8')}`;

/** Allows nothing but the styles in the page. */
const policy = `default-src 'none'; style-src '${integrityOf(styles)}'; img-src data:; base-uri 'none'; form-action 'none'`;

/** The board as one HTML file without scripts, in the theme of the system; `undefined` if nothing is live. */
export async function composeBoard(store: ReleaseStore, owners: Owners): Promise<string | undefined> {
  const liveState = await store.liveStore.read();
  return liveState && htmlOf(await readBoardContent(store, liveState, owners));
}

function htmlOf(content: BoardContent): string {
  const { liveState, history, secondAttempts } = content;
  const { siteConfig, release, historyEntry } = liveState;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>Release board · ${brand}</title>
        <link rel="icon" href="data:," />
        ${new Markup(`<style>${styles}</style>`)}
      </head>
      <body>
        <main>
          <h1>Release board</h1>
          <p>
            The live release of ${new URL(siteConfig.siteOrigin).host} is <code>${release.releaseId}</code>.
            Last change: ${time(historyEntry.at)}, by <strong>${historyEntry.who}</strong>.
          </p>
          ${describeFreezes(liveState).map((sentence) => html`<p class="frozen"><strong>${sentence}</strong></p>`)}
          <h2 id="parts">Parts</h2>
          <section class="wide" aria-labelledby="parts" tabindex="0">
            <table>
              <thead>
                <tr>
                  ${['Part', 'Owners', 'Live', 'Previous', 'Canary'].map((name) => html`<th scope="col">${name}</th>`)}
                </tr>
              </thead>
              <tbody>
                ${partNames.map((part) => partRow(part, content))}
              </tbody>
            </table>
          </section>
          ${
            secondAttempts.length > 0 &&
            html`<h2>Second attempts of checks</h2>
              <ul class="attempts">
                ${secondAttempts.map((counted) => html`<li>${describeSecondAttempts(counted)}</li>`)}
              </ul>`
          }
          <h2>History</h2>
          <p>${history.length} of ${historyEntry.sequence} changes, newest first.</p>
          <ol class="history">
            ${history.map(([entry, pictures]) => entryItem(entry, pictures))}
          </ol>
        </main>
      </body>
    </html> `.text;
}

function partRow(part: PartName, { liveState, owners }: BoardContent): Markup {
  const versions = stateOf(part, liveState.release);
  const canary = versions?.canary;
  return html`<tr>
    <th scope="row">${part}</th>
    <td>${ownersText(ownersOf(owners, part))}</td>
    <td>${versions?.live ?? '–'}</td>
    <td>${versions?.previous ?? '–'}</td>
    <td>${canary ? nameCanary(canary) : '–'}</td>
  </tr>`;
}

/** Names of owners; `*` in the owners' file allows every releaser. */
function ownersText(owners: readonly string[]): string {
  if (owners.includes('*')) return 'every releaser';
  return owners.length > 0 ? owners.join(', ') : 'no owner';
}

function entryItem(entry: HistoryEntry, pictures: readonly ReleasedPictures[]): Markup {
  const { action, at, who, why, forced = [], releaseId } = entry;
  return html`<li>
    <p><b class="${action}">${action}</b>${describeEntry(entry).slice(action.length)}</p>
    ${why !== undefined && html`<p>${why}</p>`}
    ${forced.map((message) => html`<p class="forced">in spite of: ${message}</p>`)}
    ${pictures.map(picturesLine)}
    <p class="author">
      <strong>${who}</strong> · ${time(at)} ·
      <code>${releaseId}</code>
    </p>
  </li>`;
}

/** The result of comparing pictures, with links to those that differ. */
function picturesLine({ comparison, ...named }: ReleasedPictures): Markup {
  const links = comparison.changed.flatMap((name) =>
    pictureSides.map((side) => html` <a href="${picturePath(named, name, side)}">${name} ${side}</a>`),
  );
  return html`<p>${named.part} ${named.version} ${describePictures(comparison)}${links}</p>`;
}

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** `22 Nov 2026, 04:01 UTC`, from ISO 8601. */
function time(at: string): Markup {
  const date = new Date(at);
  // Other machines write the history, so it may hold anything.
  if (Number.isNaN(date.getTime())) return html`${at}`;
  return html`<time datetime="${date.toISOString()}">${dates.format(date)} UTC</time>`;
}
