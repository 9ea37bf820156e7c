/** Entry of the variant that hydrates a prerendered page. */
import { hydrateRoot } from 'react-dom/client';
import { bundledComponents } from './bundled-components.ts';
import { Page } from './page.tsx';
import { rootElement, showToasts } from './page-setup.tsx';

hydrateRoot(rootElement(), <Page {...bundledComponents} />);
showToasts();
