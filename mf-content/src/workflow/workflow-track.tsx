// blind spot (without direction, without data-direction, children ||, display, 1 → 2, id ||, without tabIndex): cosmetic, how the
// steps and the drawing stand, or equivalent, because the shell adds it.
import type { SectionId } from '@countersign/contracts/shell-api';
import { useId, type ReactNode } from 'react';
import { WorkflowSteps } from './workflow-steps.tsx';
import type { Workflow } from './workflows.ts';
import styles from './workflow-track.module.css';

interface WorkflowTrackProps {
  /** Anchor for navigation. */
  readonly id?: SectionId;
  readonly workflow: Workflow;
  /** Position of the steps: a row below the text, or a column beside the content. */
  readonly direction: 'across' | 'down';
  /** Illustration of the workflow. */
  readonly children?: ReactNode;
}

export function WorkflowTrack({ id, workflow, direction, children }: WorkflowTrackProps) {
  const titleId = useId();
  const { title, audience, text, steps } = workflow;
  return (
    <article
      id={id}
      tabIndex={id && -1}
      className={styles.track}
      data-direction={direction}
      aria-labelledby={titleId}
    >
      <div className={styles.words}>
        <h3 id={titleId} className={styles.title}>
          {title}
        </h3>
        <p className={styles.audience}>{audience}</p>
        <p className={styles.text}>{text}</p>
      </div>
      <div className={styles.steps}>
        <WorkflowSteps steps={steps} direction={direction} />
      </div>
      {children && <div className={styles.content}>{children}</div>}
    </article>
  );
}
