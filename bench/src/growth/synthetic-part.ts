import { globalName } from '../page/assembly/build-page.ts';

/**
 * Names of synthetic parts, which are copies of one part with other names and texts. All names have the same
 * length.
 */
export function syntheticNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `mf-part-${String(index).padStart(2, '0')}`);
}

export const [firstPart = ''] = syntheticNames(1);
export const exposedKey = './section';

const sentencesInText = 10;
const wordsInSentence = 25;
/**
 * Placeholders in the build of the first part for the sentences of each part. One for each paragraph, because the copies need the
 * same number of elements in code and prerendered markup.
 */
const placeholders = Array.from({ length: sentencesInText }, (_, index) => `@@sentence-${index}@@`);

/** Source of a section with heading, text and button, about as large as a section of the landing page. */
export const sectionSource = `import { useId, useState } from 'react';
import styles from './section.module.css';

const paragraphs = ${JSON.stringify(placeholders)};

export default function Section() {
  const id = useId();
  const [marked, setMarked] = useState<readonly string[]>([]);
  return (
    <section aria-labelledby={id} className={styles.section}>
      <h1 id={id} className={styles.heading}>${firstPart}</h1>
      <button type="button" className={styles.button} onClick={() => setMarked(marked.length ? [] : paragraphs)}>
        {marked.length ? 'Unmark' : 'Mark'}
      </button>
      {paragraphs.map((paragraph) => (
        <p key={paragraph} className={marked.includes(paragraph) ? styles.marked : styles.text}>
          {paragraph}
        </p>
      ))}
    </section>
  );
}
`;

export const sectionStyles = `.section { max-width: 60rem; margin: 0 auto; padding: var(--space-6) var(--space-4) }
.heading { font-size: var(--text-2xl); letter-spacing: -.02em }
.button { min-height: 2.75rem; padding: 0 var(--space-4); border: 1px solid; border-radius: var(--radius-medium) }
.text { margin-top: var(--space-3); color: var(--color-text-muted) }
.marked { margin-top: var(--space-3); background: var(--color-accent); color: var(--color-on-accent) }
`;

/** Turns the build output of the first part into that of another one. */
export function asPart(built: string, part: string): string {
  const sentences = sentencesOf(part);
  return placeholders
    .reduce((text, placeholder, index) => text.replaceAll(placeholder, sentences[index] ?? ''), built)
    .replaceAll(firstPart, part)
    .replaceAll(globalName(firstPart), globalName(part));
}

/** Random text from a linear congruential generator. Each part has its own, so that many parts do not compress better than one. */
function sentencesOf(part: string): readonly string[] {
  let state = [...part].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
  const next = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const word = () => Array.from({ length: 3 + next(7) }, () => String.fromCharCode(97 + next(26))).join('');
  const sentence = () => `${Array.from({ length: wordsInSentence }, word).join(' ')}.`;
  return Array.from({ length: sentencesInText }, sentence);
}
