/* eslint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   In the narrowest layout the stylesheet makes lists of the rows, and Safari then drops the implicit roles. */
import { createTooltipGroup } from '@countersign/tooltip';
import { useId, useState } from 'react';
import { LimitLabel } from './limit-label.tsx';
import { LimitValue } from './limit-value.tsx';
import { limitedPlans, limits } from './limits.ts';
import { paidPlans } from './plans.ts';
import styles from './limits-table.module.css';

const featuredPlan = paidPlans.find((plan) => plan.badge)?.name;

export function LimitsTable() {
  const headingId = useId();
  const [tooltipGroup] = useState(createTooltipGroup);
  return (
    <>
      <h3 id={headingId} className={styles.heading}>
        What each plan includes
      </h3>
      <table role="table" aria-labelledby={headingId} className={styles.table}>
        <thead role="rowgroup" className={styles.head}>
          <tr role="row" className={styles.row}>
            <td role="cell" className={styles.corner} />
            {limitedPlans.map((plan) => (
              <th
                key={plan}
                role="columnheader"
                scope="col"
                className={styles.plan}
                data-featured={plan === featuredPlan}
              >
                {plan}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {limits.map((limit) => (
            <tr key={limit.label} role="row" className={styles.row}>
              <th role="rowheader" scope="row" className={styles.label}>
                <LimitLabel limit={limit} tooltipGroup={tooltipGroup} />
              </th>
              {limitedPlans.map((plan) => (
                <td
                  key={plan}
                  role="cell"
                  className={styles.value}
                  data-plan={plan}
                  data-featured={plan === featuredPlan}
                >
                  <LimitValue value={limit.values[plan]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
