/** Entry of one bundle that hydrates the page which was rendered when it was built. */
import { hydrateRoot } from 'react-dom/client';
import { bundledComponents } from './bundled-components.ts';
import { Page } from './page.tsx';
import { rootElement, showToasts } from './surroundings.tsx';

hydrateRoot(rootElement(), <Page {...bundledComponents} />);
showToasts();
