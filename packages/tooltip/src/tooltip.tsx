import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type SyntheticEvent,
} from 'react';
import { createPortal } from 'react-dom';

/** Hover delay before a tooltip opens, in milliseconds. */
const openDelay = 700;
/** Time after a tooltip of the group has closed in which the next one opens without delay, in milliseconds. */
const skipDelay = 300;

/** A group of tooltips. At most one is open. */
export interface TooltipGroup {
  /** When its last tooltip has closed, as `performance.now()`. */
  closedAt: number;
  /** Closes the open tooltip. */
  close: (() => void) | undefined;
}

export function createTooltipGroup(): TooltipGroup {
  return { closedAt: Number.NEGATIVE_INFINITY, close: undefined };
}

export interface TooltipState {
  readonly id: string;
  /** The trigger while its tooltip is open. */
  readonly anchor: HTMLElement | undefined;
  /** Opens the tooltip without delay. A trigger whose press opens it has this as its `onClick`. */
  show(event: SyntheticEvent<HTMLElement>): void;
  hide(): void;
  /** Props of the trigger. */
  readonly trigger: {
    readonly 'aria-describedby': string | undefined;
    onPointerMove(event: PointerEvent<HTMLElement>): void;
    onPointerLeave(event: PointerEvent<HTMLElement>): void;
    onPointerDown(): void;
    onClick(event: MouseEvent<HTMLElement>): void;
    onFocus(event: FocusEvent<HTMLElement>): void;
    onBlur(): void;
  };
}

/**
 * State of a tooltip. It opens on hover after a delay, and on focus at once. A press or Escape closes it. The
 * pointer may move onto the tooltip (WCAG 1.4.13).
 */
export function useTooltip(group: TooltipGroup): TooltipState {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const timer = useRef<number>(undefined);
  /** Set until the pointer leaves, so that the tooltip does not open again after a press or Escape has closed it. */
  const isHovered = useRef(false);
  /** Set while a press on the trigger lasts. */
  const isPressed = useRef(false);

  useEffect(() => () => window.clearTimeout(timer.current), []);

  useEffect(() => {
    if (!anchor) return undefined;
    const close = () => setAnchor(undefined);
    group.close?.();
    group.close = close;
    const closeOnEscape = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') close();
    };
    const closeOutside = ({ target }: Event) => {
      if (!(target instanceof Node) || isInside(target, anchor, id)) return;
      close();
    };
    document.addEventListener('keydown', closeOnEscape, { capture: true });
    document.addEventListener('pointerdown', closeOutside, { capture: true });
    return () => {
      document.removeEventListener('keydown', closeOnEscape, { capture: true });
      document.removeEventListener('pointerdown', closeOutside, { capture: true });
      group.closedAt = performance.now();
      if (group.close === close) group.close = undefined;
    };
  }, [anchor, group, id]);

  function hide() {
    window.clearTimeout(timer.current);
    setAnchor(undefined);
  }

  function show({ currentTarget }: SyntheticEvent<HTMLElement>) {
    window.clearTimeout(timer.current);
    setAnchor(currentTarget);
  }

  return {
    id,
    anchor,
    show,
    hide,
    trigger: {
      'aria-describedby': anchor && id,
      onPointerMove(event) {
        if (event.pointerType === 'touch' || isHovered.current) return;
        isHovered.current = true;
        const { currentTarget } = event;
        const open = () => setAnchor(currentTarget);
        if (performance.now() - group.closedAt < skipDelay) open();
        else timer.current = window.setTimeout(open, openDelay);
      },
      onPointerLeave({ relatedTarget, currentTarget }) {
        isHovered.current = false;
        if (relatedTarget instanceof Node && isInside(relatedTarget, currentTarget, id)) return;
        hide();
      },
      onPointerDown() {
        hide();
        isPressed.current = true;
        const end = () => void (isPressed.current = false);
        document.addEventListener('pointerup', end, { once: true });
        document.addEventListener('pointercancel', end, { once: true });
      },
      onClick: hide,
      onFocus(event) {
        // Ignores focus that a pointer press causes, because it does not show interest in the tooltip.
        if (!isPressed.current) show(event);
      },
      onBlur: hide,
    },
  };
}

/** Whether a node is in the trigger, or in the tooltip with this id and the padding around it. */
function isInside(node: Node, trigger: HTMLElement, id: string): boolean {
  return trigger.contains(node) || Boolean(document.getElementById(id)?.parentElement?.contains(node));
}

interface TooltipProps {
  readonly state: TooltipState;
  /** Preferred side. The tooltip flips if there is no room. */
  readonly side: 'top' | 'bottom';
  readonly align: 'start' | 'center';
  /** Distance between tooltip and trigger, in pixels. */
  readonly gap: number;
  /** Minimum distance between tooltip and edges of the viewport, in pixels. */
  readonly margin: number;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** The tooltip, in a portal. `data-tooltip` is for the accessibility tests. */
export function Tooltip({ state, ...props }: TooltipProps) {
  const { anchor } = state;
  return anchor ? <OpenTooltip {...props} state={state} anchor={anchor} /> : null;
}

function OpenTooltip({
  state: { id, hide },
  anchor,
  side,
  align,
  gap,
  margin,
  className,
  children,
}: TooltipProps & { readonly anchor: HTMLElement }) {
  const frame = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const { current: element } = frame;
    if (!element) return undefined;
    Object.assign(element.style, {
      position: 'fixed',
      // Covers the gap, so that the pointer can reach the tooltip without leaving the frame.
      padding: `${gap}px 0`,
      // Taken from `className`, where it has no effect, because only the frame is positioned.
      zIndex: element.firstElementChild ? getComputedStyle(element.firstElementChild).zIndex : '',
    });
    const place = () => {
      const { offsetWidth: width, offsetHeight: height } = element;
      const from = anchor.getBoundingClientRect();
      const { clientWidth, clientHeight } = document.documentElement;
      // The height includes the padding on both sides, and the outer padding needs no room.
      const hasRoomAbove = from.top - height >= margin - gap;
      const hasRoomBelow = from.bottom + height <= clientHeight - margin + gap;
      const isAbove = side === 'top' ? hasRoomAbove || !hasRoomBelow : hasRoomAbove && !hasRoomBelow;
      const left = align === 'start' ? from.left : from.left + (from.width - width) / 2;
      element.style.top = `${isAbove ? from.top - height : from.bottom}px`;
      element.style.left = `${Math.max(margin, Math.min(left, clientWidth - margin - width))}px`;
    };
    place();
    window.addEventListener('scroll', place, { capture: true, passive: true });
    window.addEventListener('resize', place);
    return () => {
      window.removeEventListener('scroll', place, { capture: true });
      window.removeEventListener('resize', place);
    };
  }, [anchor, side, align, gap, margin]);

  return createPortal(
    <div
      ref={frame}
      data-tooltip=""
      onPointerLeave={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && anchor.contains(relatedTarget))) hide();
      }}
    >
      <div id={id} role="tooltip" className={className}>
        {children}
      </div>
    </div>,
    document.body,
  );
}
