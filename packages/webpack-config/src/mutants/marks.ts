/** A comment that says why changes of a place are equivalent or meant: `// blind spot: <reason>`, `// blind spot (role, scope): <reason>`. */
export interface Mark {
  /** Where the place begins: beside the comment, or below it. */
  readonly line: number;
  readonly reason: string;
  /** It is about changes that contain one of these words, or about all if there are none. */
  readonly words: readonly string[];
}

const comment = /(?:\/\/|\/\*) *blind spot(?: \(([^)]*)\))?: *(.*?\S) *(?:\*\/.*)?$/;

/** The marks in a source file. */
export function marksIn(text: string): readonly Mark[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const [found, words = '', reason] = comment.exec(line) ?? [];
    if (found === undefined || reason === undefined) return [];
    const isBeside = /[^\s{]/.test(line.slice(0, line.indexOf(found)));
    // The comment may have more lines.
    const next = lines.findIndex((other, at) => at > index && !/^\s*(?:\/\/|\*)/.test(other));
    return [{ line: (isBeside ? index : next) + 1, reason, words: words.split(/,\s*/).filter(Boolean) }];
  });
}

/** The marks above the imports of a module. They are about the whole file, and about the stylesheet beside it. */
export function fileMarksIn(text: string): readonly Mark[] {
  const first = text.split('\n').findIndex((line) => line.startsWith('import ')) + 1;
  return marksIn(text).filter(({ line }) => line === first);
}

/** The reason of the first mark that is about a change. */
export function reasonOf(marks: readonly Mark[], change: string): string | undefined {
  const isAbout = ({ words }: Mark) => words.length === 0 || words.some((word) => change.includes(word));
  return marks.find(isAbout)?.reason;
}
