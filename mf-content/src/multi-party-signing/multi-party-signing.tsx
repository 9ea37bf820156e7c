// blind spot (without tone, without content): cosmetic, how the section looks.
import { ContentSection } from '../content-section.tsx';
import { SampleDocument } from './sample-document.tsx';

export default function MultiPartySigning() {
  return (
    <ContentSection
      tone="plain"
      content="beside"
      title="Several signatures, one after another"
      introduction="An agreement with several signers moves forward by itself: the next person is notified, and everyone can see whose turn it is."
    >
      <SampleDocument />
    </ContentSection>
  );
}
