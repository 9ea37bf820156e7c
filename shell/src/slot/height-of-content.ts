/** Height that the content of an element takes, in pixels. The element itself may have no box. */
export function heightOfContent(element: Element | null): number {
  const boxes = [...(element?.children ?? [])].map((child) => child.getBoundingClientRect());
  if (boxes.length === 0) return 0;
  return Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top));
}
