import type { IconNode } from 'lucide';

interface IconProps {
  /** Shapes of the icon, on a square of 24 units. */
  readonly icon: IconNode;
  readonly className?: string | undefined;
}

/** Draws an icon in the colour of the text. Decorative: hidden from assistive technology. */
export function Icon({ icon, className }: IconProps) {
  return (
    <svg
      className={className}
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {icon.map(([Shape, attributes], index) => (
        <Shape key={index} {...attributes} />
      ))}
    </svg>
  );
}
