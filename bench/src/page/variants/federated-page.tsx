import { createRoot } from 'react-dom/client';
import { federatedComponents } from './federated-components.ts';
import { Page } from './page.tsx';
import { rootElement, showToasts } from './surroundings.tsx';

createRoot(rootElement()).render(<Page {...federatedComponents} />);
showToasts();
