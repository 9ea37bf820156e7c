import type { SectionId } from '@countersign/contracts/shell-api';
import { useId, type ReactNode } from 'react';
import { WorkflowSteps } from './workflow-steps.tsx';
import type { Workflow } from './workflows.ts';
import styles from './workflow-track.module.css';

interface WorkflowTrackProps {
  /** The anchor that navigation scrolls to. */
  readonly id?: SectionId;
  readonly workflow: Workflow;
  /** Where the steps stand: across beside the words, or down below them, beside the content. */
  readonly direction: 'across' | 'down';
  /** What shows the workflow at work. */
  readonly children?: ReactNode;
}

export function WorkflowTrack({ id, workflow, direction, children }: WorkflowTrackProps) {
  const titleId = useId();
  const { title, audience, text, steps } = workflow;
  return (
    <article id={id} className={styles.track} data-direction={direction} aria-labelledby={titleId}>
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
