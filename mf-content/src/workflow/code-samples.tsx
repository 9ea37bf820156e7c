// blind spot (position, overflow): cosmetic, because few pixels would be seen.
import { Fragment, useId } from 'react';
import { apiSamples } from './api-samples.ts';
import { CodeSample } from './code-sample.tsx';
import styles from './code-samples.module.css';

/** The samples side by side. In a narrow window, radio buttons select one of them, which needs no script. */
export function CodeSamples() {
  const id = useId();
  return (
    <fieldset className={styles.samples}>
      <legend className={styles.legend}>Code sample</legend>
      {apiSamples.map(({ title }, index) => (
        <Fragment key={title}>
          <input
            type="radio"
            id={`${id}-${index}`}
            name={id}
            defaultChecked={index === 0}
            className={styles.choice}
          />
          <label htmlFor={`${id}-${index}`} className={styles.tab}>
            {title}
          </label>
        </Fragment>
      ))}
      {apiSamples.map((sample) => (
        <CodeSample key={sample.title} sample={sample} />
      ))}
    </fieldset>
  );
}
