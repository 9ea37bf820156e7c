import { createRoot } from 'react-dom/client';
import { federatedComponents } from './federated-components.ts';
import { Page } from './page.tsx';
import { rootElement, showToasts } from './page-setup.tsx';

createRoot(rootElement()).render(<Page {...federatedComponents} />);
showToasts();
