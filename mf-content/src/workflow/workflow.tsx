// blind spot (without tone, without direction): cosmetic, how the section looks.
import { ContentSection } from '../content-section.tsx';
import { CodeSamples } from './code-samples.tsx';
import { TemplateDrawing } from './template-drawing.tsx';
import { WorkflowTrack } from './workflow-track.tsx';
import { apiWorkflow, sequentialWorkflow, templateWorkflow } from './workflows.ts';

export default function Workflow() {
  return (
    <ContentSection
      tone="sunken"
      title="Three ways to a finished document"
      introduction="Start with a template, a request from your own software, or a file and a list of names. The record at the end is the same."
    >
      <WorkflowTrack workflow={templateWorkflow} direction="across">
        <TemplateDrawing />
      </WorkflowTrack>
      <WorkflowTrack id="api" workflow={apiWorkflow} direction="down">
        <CodeSamples />
      </WorkflowTrack>
      <WorkflowTrack workflow={sequentialWorkflow} direction="across" />
    </ContentSection>
  );
}
