// blind spot (without dir, '\n', overflow, display): cosmetic, how lines begin and end, and corners.
import type { ApiSample } from './api-samples.ts';
import { highlight } from './highlight.ts';
import styles from './code-sample.module.css';

interface CodeSampleProps {
  readonly sample: ApiSample;
}

export function CodeSample({ sample: { title, code } }: CodeSampleProps) {
  return (
    <figure className={styles.sample}>
      <figcaption className={styles.title}>{title}</figcaption>
      <pre className={styles.code} dir="ltr">
        <code>
          {code.split('\n').map((line, index) => (
            <span key={index} className={styles.line}>
              {highlight(line).map(({ kind, text }, position) => (
                <span key={position} className={styles[kind]}>
                  {text}
                </span>
              ))}
              {'\n'}
            </span>
          ))}
        </code>
      </pre>
    </figure>
  );
}
