// blind spot (without data-direction, without aria-hidden, position): cosmetic, how the steps look, whose numbers no step hears.
import type { WorkflowStep } from './workflows.ts';
import styles from './workflow-steps.module.css';

interface WorkflowStepsProps {
  readonly steps: readonly WorkflowStep[];
  /** `across` puts the steps in one row if there is room. */
  readonly direction: 'across' | 'down';
}

export function WorkflowSteps({ steps, direction }: WorkflowStepsProps) {
  return (
    <ol className={styles.steps} data-direction={direction}>
      {steps.map(({ title, text }, index) => (
        <li key={title} className={styles.step}>
          <span className={styles.number} aria-hidden="true">
            {index + 1}
          </span>
          <div>
            <p className={styles.title}>{title}</p>
            <p className={styles.text}>{text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
