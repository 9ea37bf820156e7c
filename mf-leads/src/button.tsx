import type { ComponentProps } from 'react';
import styles from './button.module.css';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly variant: 'primary' | 'secondary';
}

export function Button({ variant, type = 'button', ...rest }: ButtonProps) {
  return <button {...rest} type={type} className={styles[variant]} />;
}
