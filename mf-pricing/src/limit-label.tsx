import { Icon } from '@countersign/icon';
import { Tooltip, useTooltip, type TooltipGroup } from '@countersign/tooltip';
import { Info } from 'lucide';
import type { Limit } from './limits.ts';
import styles from './limit-label.module.css';

interface LimitLabelProps {
  readonly limit: Limit;
  /** Group of tooltips. One is open at a time. */
  readonly explanations: TooltipGroup;
}

export function LimitLabel({ limit: { label, explanation }, explanations }: LimitLabelProps) {
  const tooltip = useTooltip(explanations);
  if (!explanation) return label;
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
