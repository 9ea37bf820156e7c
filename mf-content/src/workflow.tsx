import { ContentSection } from './content-section.tsx';
import { apiSamples } from './workflow/api-samples.ts';
import { CodeSample } from './workflow/code-sample.tsx';
import { TemplateDrawing } from './workflow/template-drawing.tsx';
import { WorkflowTrack } from './workflow/workflow-track.tsx';
import { apiWorkflow, sequentialWorkflow, templateWorkflow } from './workflow/workflows.ts';
import styles from './workflow.module.css';

export default function Workflow() {
  return (
    <ContentSection
      tone="sunken"
      title="Three ways to a finished document"
      introduction="Begin with a template, with a request from your own software, or with a file and a list of names. The record at the end is the same."
    >
      <WorkflowTrack workflow={templateWorkflow} direction="across">
        <TemplateDrawing />
      </WorkflowTrack>
      <WorkflowTrack id="api" workflow={apiWorkflow} direction="down">
        <div className={styles.samples}>
          {apiSamples.map((sample) => (
            <CodeSample key={sample.title} sample={sample} />
          ))}
        </div>
      </WorkflowTrack>
      <WorkflowTrack workflow={sequentialWorkflow} direction="across" />
    </ContentSection>
  );
}
