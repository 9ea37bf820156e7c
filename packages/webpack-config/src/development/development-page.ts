import { releaseDocumentElementId } from '@countersign/contracts/page-markup';
import {
  releaseDocument,
  type ReleaseDocument,
  type RemoteVersion,
} from '@countersign/contracts/release-document';
import type { RemoteName } from '@countersign/contracts/remotes';
import { DevelopmentError } from './development-error.ts';

/** A remote that is built on the developer's machine. */
export interface LocalRemote {
  readonly name: RemoteName;
  readonly version: RemoteVersion;
}

/** Matches the JSON of the release document in a page. */
const releaseJson = new RegExp(
  `(?<=<script type="application/json" id="${releaseDocumentElementId}">).*?(?=</script>)`,
  's',
);

/** The release document in a page. Throws an error if the page has none. */
export function releaseIn(html: string): ReleaseDocument {
  const [json] = releaseJson.exec(html) ?? [];
  if (json === undefined) {
    throw new DevelopmentError('The page has no release document. Name a site of this project with --site.');
  }
  try {
    return releaseDocument.parse(JSON.parse(json));
  } catch (cause) {
    throw new DevelopmentError(
      'The page has a release document that these sources cannot read. Update them, or name another site with --site.',
      { cause },
    );
  }
}

/**
 * Puts remotes of this machine into a page of a site. All other parts and the content security policy stay.
 *
 * @param shellScript URL of the shell's development build. Without it, the published one stays.
 */
export function developmentPage(html: string, remotes: readonly LocalRemote[], shellScript?: string): string {
  const release = releaseIn(html);
  const local = Object.fromEntries(remotes.map(({ name, version }) => [name, { live: version }]));
  const json = JSON.stringify({ ...release, remotes: { ...release.remotes, ...local } });
  const edits: readonly (readonly [RegExp, string])[] = [
    // No `<`, which could end the script element.
    [releaseJson, json.replaceAll('<', '\\u003c')],
    ...(shellScript === undefined ? [] : shellEdits(release, shellScript)),
  ];
  return edits.reduce((page, [pattern, replacement]) => page.replace(pattern, () => replacement), html);
}

/** Edits that replace all scripts of the shell by its development build, which is one file, and remove their preload links. */
function shellEdits({ shell }: ReleaseDocument, script: string): readonly (readonly [RegExp, string])[] {
  return shell.scripts.flatMap(({ url }, index) => {
    const urlPattern = url.replaceAll('.', '\\.');
    const element = index === 0 ? `<script src="${script}" defer></script>` : '';
    return [
      [new RegExp(`<link rel="preload" as="script" href="${urlPattern}"[^>]*>`), ''],
      [new RegExp(`<script src="${urlPattern}"[^>]*></script>`), element],
    ] as const;
  });
}
