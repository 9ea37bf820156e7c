import type { RemoteNames } from './remote-files.ts';

/** An expected failure. Its message says what is wrong, and what to do. */
export class CreationError extends Error {
  override readonly name = 'CreationError';
}

/** A slot of the landing page, such as `mf-pricing/pricing`. */
export interface SlotName {
  readonly remote: string;
  readonly file: string;
}

/** Registration of a remote with the page. */
interface Registration {
  readonly names: RemoteNames;
  /** The slot that the new one follows. By default it is the last one of `<main>`. */
  readonly after: SlotName | undefined;
  /** Releasers that may release the remote. By default those of all parts that are not listed. */
  readonly owners: readonly string[] | undefined;
}

/** Changes the text of a file. */
type Edit = (text: string) => string;

const contractFile = 'packages/contracts/src/page/remotes.ts';
const slotsFile = 'shell/src/page/landing-page-slots.ts';

/** Files that name remotes, by path in the project → their change. Everything else is derived from them. */
export function registrationEdits(registration: Registration): Readonly<Record<string, Edit>> {
  return {
    [contractFile]: (text) => addToContract(text, registration.names),
    [slotsFile]: (text) => addSlot(text, registration),
    'release/owners.json': (text) => addOwners(text, registration),
    'README.md': (text) => addToReadme(text, registration),
  };
}

function addToContract(text: string, { remote, file }: RemoteNames): string {
  const withModules = insert(
    text,
    /(?<=export interface RemoteModules \{[^}]*(?:\};[^}]*)*\n)(?=\}\n)/,
    `  '${remote}': {\n    './${file}': SlotModule;\n  };\n`,
    `${contractFile} has no interface RemoteModules`,
  );
  return insert(
    withModules,
    /(?<=remoteNames = \[[^\]]*'),?\s*(?=\] as const)/,
    `, '${remote}'`,
    `${contractFile} has no list remoteNames`,
  );
}

function slotLine({ remote, file }: SlotName): string {
  return `{ remote: '${remote}', exposed: './${file}' }`;
}

function addSlot(text: string, { names, after }: Registration): string {
  const position = after
    ? new RegExp(`(?<=${escaped(slotLine(after))})`)
    : /(?<=\n {2}main: \[[^\]]*\}),?(?=\n {2}\])/;
  const error = after
    ? `The landing page has no slot ${after.remote}/${after.file}. Its slots are in ${slotsFile}`
    : `${slotsFile} has no list "main"`;
  return insert(text, position, `,\n    ${slotLine(names)}`, error);
}

function addOwners(text: string, { names, owners }: Registration): string {
  if (!owners) return text;
  return JSON.stringify({ ...(JSON.parse(text) as object), [names.remote]: owners }, null, 2);
}

/** Adds the remote to the table of folders and to that of blocks. A README without them stays as it is. */
function addToReadme(text: string, { names: { remote, file, title }, after }: Registration): string {
  const row = `| [\`${remote}/\`](${remote}/README.md) | remote: ${title} |\n`;
  const block = `| ${title} | \`${remote}\` | \`./${file}\` |\n`;
  const position = after
    ? new RegExp(`(?<=\`${after.remote}\` *\\| \`\\./${after.file}\` *\\|\n)`)
    : /(?=\| Footer )/;
  return text.replace(/(?=\| \[`lead-service\/`\])/, row).replace(position, block);
}

function insert(text: string, position: RegExp, addition: string, error: string): string {
  const changed = text.replace(position, addition);
  if (changed === text) throw new CreationError(`${error}. Nothing was changed.`);
  return changed;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
