import type { VersionRecord } from '../store/stored-documents.ts';
import { parsePart } from './part-argument.ts';
import { requireRecord } from './published-version.ts';
import type { ReleaseCommand } from './release-command.ts';

interface PublishedVersion {
  readonly version: string;
  readonly record: VersionRecord;
}

export const changelogCommand: ReleaseCommand = {
  usage: 'changelog <part> [version]',
  isRemote: () => true,
  description: 'print what changed in each published version of a part, or in one, as Markdown',
  async run({ words: [word = '', named], open }) {
    const part = parsePart(word);
    const { store } = open();
    if (named !== undefined) await requireRecord(store, part, named);
    const versions = await Promise.all(
      (named === undefined ? await store.versionsOf(part) : [named]).map(async (version) => {
        const record = await store.versionRecord(part, version);
        return record ? [{ version, record }] : [];
      }),
    );
    const newestFirst = versions
      .flat()
      .sort((a, b) => (a.record.publishedAt < b.record.publishedAt ? 1 : -1));
    const json = newestFirst.map(({ version, record: { publishedAt, publishedBy, changelog, files } }) => ({
      version,
      publishedAt,
      publishedBy,
      ...changelog,
      // The hashes of all versions would be megabytes.
      ...(named !== undefined && { files }),
    }));
    return { json, lines: [`# ${part}`, ...newestFirst.flatMap(markdownOf)] };
  },
};

function markdownOf({ version, record: { publishedAt, publishedBy, changelog } }: PublishedVersion) {
  const title = ['', `## ${version}`, '', `${publishedAt.slice(0, 10)}, ${escaped(publishedBy)}`];
  if (!changelog) return [...title, '', 'Published without a changelog.'];
  const { changes, commit, since, note } = changelog;
  const source = commit === undefined ? [] : [`Commit ${short(commit)}${since ? `, after ${since}` : ''}.`];
  return [
    ...title,
    ...(changes.length > 0 ? [''] : []),
    ...changes.map((change) => `- ${escaped(change.subject)} (${short(change.commit)})`),
    '',
    [
      ...source,
      ...(commit && changes.length === 0 ? ['No changes of the part.'] : []),
      ...(note ? [escaped(note)] : []),
    ].join(' '),
  ];
}

function short(commit: string): string {
  return commit.slice(0, 10);
}

/** Escapes text that Markdown would interpret as HTML or as a link, and what could end the escape. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`<[\]]/g, '\\$&');
}
