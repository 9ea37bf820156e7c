import type { SlotProps } from '@countersign/contracts/shell-api';
import { BrandLockup } from './brand-lockup.tsx';
import { Navigation } from './navigation.tsx';
import { SideMenu } from './side-menu.tsx';
import { SignInLinks } from './sign-in-links.tsx';
import { ThemeMenu } from './theme-menu.tsx';
import styles from './header.module.css';

export default function Header({ shell }: SlotProps) {
  // blind spot (without layout): cosmetic, how the links stand.
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <BrandLockup />
        <Navigation layout="row" onSelect={(section) => shell.scrollToSection(section)} />
        <div className={styles.actions}>
          <ThemeMenu theme={shell.theme} />
          <SignInLinks layout="row" page={shell.page} />
          <SideMenu shell={shell} />
        </div>
      </div>
    </header>
  );
}
