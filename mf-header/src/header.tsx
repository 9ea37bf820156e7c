import type { SlotProps } from '@countersign/contracts/shell-api';
import { BrandLockup } from './brand-lockup.tsx';
import { Navigation } from './navigation.tsx';
import { SideMenu } from './side-menu.tsx';
import { SignInButtons } from './sign-in-buttons.tsx';
import { ThemeMenu } from './theme-menu.tsx';
import styles from './header.module.css';

export default function Header({ shell }: SlotProps) {
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <BrandLockup />
        <div className={styles.navigation}>
          <Navigation layout="row" onChoose={(section) => shell.scrollToSection(section)} />
        </div>
        <div className={styles.actions}>
          <ThemeMenu theme={shell.theme} />
          <SignInButtons layout="row" shell={shell} />
          <SideMenu shell={shell} />
        </div>
      </div>
    </header>
  );
}
