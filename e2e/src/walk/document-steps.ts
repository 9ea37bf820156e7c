/** The next act of a reader of a document: to type a command, or to edit a file. */
type DocumentStep = CommandStep | EditStep;

interface CommandStep {
  /** Line of the document. */
  readonly line: number;
  readonly command: string;
  /** The output in the document. */
  readonly shown: string[];
}

export interface EditStep {
  readonly line: number;
  readonly file: string;
  readonly removed: string;
  readonly added: string;
}

/** The steps of a Markdown document, by the rules in the README of `e2e/`. Throws an error for a block without a meaning. */
export function documentSteps(document: string): readonly DocumentStep[] {
  const blocks = [...document.matchAll(/^( *)```(\w*)\n(.*?)^ *```$/gms)];
  return blocks.flatMap((block): readonly DocumentStep[] => {
    const [, indent = '', language = '', content = ''] = block;
    const line = document.slice(0, block.index).split('\n').length + 1;
    const lines = content
      .replaceAll(new RegExp(`^${indent}`, 'gm'), '')
      .trimEnd()
      .split('\n');
    if (language === 'diff') return [editStep(lines, line)];
    return language === '' || language === 'console' ? commandSteps(lines, line) : [];
  });
}

function editStep(lines: readonly string[], line: number): EditStep {
  const linesWith = (sign: string) =>
    lines.flatMap((text) => (text.startsWith(sign) ? [text.slice(sign.length)] : []));
  const [file = ''] = linesWith('+++ ');
  const [removed, [, ...added]] = [linesWith('-'), linesWith('+')];
  return { line, file, removed: removed.join('\n'), added: added.join('\n') };
}

function commandSteps(lines: readonly string[], firstLine: number): readonly CommandStep[] {
  const steps: CommandStep[] = [];
  for (const [index, text] of lines.entries()) {
    const last = steps.at(-1);
    if (text.startsWith('$ ')) steps.push({ line: firstLine + index, command: text.slice(2), shown: [] });
    else if (!last) throw new Error(`Line ${firstLine}: begin with "$ ", or name a language such as "text".`);
    else if (last.shown.length > 0 || !text.startsWith('> ')) last.shown.push(text);
    else steps.splice(-1, 1, { ...last, command: `${last.command}\n${text.slice(2)}` });
  }
  return steps;
}

/** Patterns of texts that differ between runs, and their placeholders in a comparison. */
const varying = [
  [/\br-[\da-f]{12}\b/g, 'r-<release>'],
  [/\b1\.0\.0-[\da-f]{12}\b/g, '1.0.0-<hash>'],
  [/\b\d+ ms\b/g, '<n> ms'],
  [/\b(localhost|127\.0\.0\.1):\d+/g, '$1:<port>'],
] as const;
const withoutVarying = (line: string) =>
  varying.reduce((text, [pattern, replacement]) => text.replaceAll(pattern, replacement), line);

/** Whether a line names a second attempt of the check, which a busy machine can cause. */
export const isSecondAttempt = (line: string) => line.startsWith('second attempts: ');

/** Whether a terminal that has printed these lines shows what the document does. */
export function isAsShown(shown: readonly string[], printed: readonly string[]): boolean {
  const pattern = shown.map((line) => {
    if (line === '…') return '(?:.*\n)*?';
    const escaped = withoutVarying(line).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return `${escaped.replaceAll('…', '.*')}\n`;
  });
  const isProgress = (line: string) => line.endsWith(' …') && !shown.includes(line);
  const compared = printed
    .filter((line) => !isProgress(line) && !isSecondAttempt(line))
    .map((line) => `${withoutVarying(line)}\n`);
  return new RegExp(`^${pattern.join('')}$`).test(compared.join(''));
}
