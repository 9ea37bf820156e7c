/* eslint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   In the narrowest layout the stylesheet makes lists of the rows, and Safari then drops the implicit roles. */
import { Icon } from '@countersign/icon';
import { createTooltipGroup } from '@countersign/tooltip';
import { Check, Minus } from 'lucide';
import { useId, useState } from 'react';
import { LimitLabel } from './limit-label.tsx';
import { limitedPlans, limits } from './limits.ts';
import styles from './limits-table.module.css';

export function LimitsTable() {
  const headingId = useId();
  const [tooltipGroup] = useState(createTooltipGroup);
  // blind spot (without role): only Safari needs them, and a test looks for each.
  // blind spot (without scope): equivalent, because of the roles.
  // blind spot (without data-featured): cosmetic, the colour of a column.
  // blind spot (without data-plan): only seen beside the largest fonts, where an end-to-end test looks for it.
  return (
    <>
      <h3 id={headingId} className={styles.heading}>
        What each plan includes
      </h3>
      <table role="table" aria-labelledby={headingId} className={styles.table}>
        <thead role="rowgroup" className={styles.head}>
          <tr role="row">
            <td role="cell" />
            {limitedPlans.map(({ name, badge }) => (
              <th key={name} role="columnheader" scope="col" data-featured={badge && ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className={styles.body}>
          {limits.map((limit) => (
            <tr key={limit.label} role="row">
              <th role="rowheader" scope="row">
                <LimitLabel limit={limit} tooltipGroup={tooltipGroup} />
              </th>
              {limitedPlans.map(({ name, badge }, column) => (
                <td key={name} role="cell" data-plan={name} data-featured={badge && ''}>
                  <LimitValue value={limit.values[column]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function LimitValue({ value }: { readonly value: string | boolean | undefined }) {
  if (typeof value !== 'boolean') return value;
  return value ? (
    <span role="img" aria-label="yes">
      <Icon icon={Check} className={styles.yes} />
    </span>
  ) : (
    <span role="img" aria-label="no">
      <Icon icon={Minus} className={styles.no} />
    </span>
  );
}
