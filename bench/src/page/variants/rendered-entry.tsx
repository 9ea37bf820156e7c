/** Entry of the variant that renders in the browser. */
import { createRoot } from 'react-dom/client';
import { bundledComponents } from './bundled-components.ts';
import { Page } from './page.tsx';
import { rootElement, showToasts } from './page-setup.tsx';

createRoot(rootElement()).render(<Page {...bundledComponents} />);
showToasts();
