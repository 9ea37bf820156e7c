/** Entry of one bundle that renders the page in the browser. */
import { createRoot } from 'react-dom/client';
import { bundledComponents } from './bundled-components.ts';
import { Page } from './page.tsx';
import { rootElement, showToasts } from './surroundings.tsx';

createRoot(rootElement()).render(<Page {...bundledComponents} />);
showToasts();
