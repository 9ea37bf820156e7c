import type { ComponentProps } from 'react';
import styles from './button.module.css';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly variant: 'primary' | 'secondary';
  /** Where a link leads that replaces the button as long as no code can handle it, such as `#pricing`. */
  readonly plainHref?: string;
}

// blind spot ('button', type=): equivalent, because only the form's own button stands in it.
export function Button({ variant, plainHref, type = 'button', ...rest }: ButtonProps) {
  if (plainHref === undefined) return <button {...rest} type={type} className={styles[variant]} />;
  return (
    <>
      <button {...rest} type={type} className={`${styles[variant]} ${styles.scripted}`} />
      <a href={plainHref} className={`${styles[variant]} ${styles.plain}`}>
        {rest.children}
      </a>
    </>
  );
}
