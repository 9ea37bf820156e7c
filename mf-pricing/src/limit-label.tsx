import { Icon } from '@countersign/icon';
import { Tooltip, useTooltip, type TooltipGroup } from '@countersign/tooltip';
import { Info } from 'lucide';
import type { Limit } from './limits.ts';
import styles from './limit-label.module.css';

interface LimitLabelProps {
  readonly limit: Limit;
  readonly tooltipGroup: TooltipGroup;
}

export function LimitLabel({ limit: { label, explanation }, tooltipGroup }: LimitLabelProps) {
  const tooltip = useTooltip(tooltipGroup);
  if (!explanation) return label;
  // blind spot (without type): equivalent, because there is no form.
  // blind spot (without <Icon, without side, without align, without gap, without margin): cosmetic, a decoration, and where the tooltip stands.
  return (
    <>
      {/* A press opens it as well, because touch screens have no hover. */}
      <button {...tooltip.trigger} type="button" className={styles.trigger} onClick={tooltip.show}>
        {label}
        <Icon icon={Info} className={styles.icon} />
      </button>
      <Tooltip state={tooltip} side="top" align="start" gap={4} margin={16} className={styles.explanation}>
        {explanation}
      </Tooltip>
    </>
  );
}
