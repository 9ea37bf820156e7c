import * as Tooltip from '@radix-ui/react-tooltip';
import { LimitLabel } from './limit-label.tsx';
import { LimitValue } from './limit-value.tsx';
import { limitedPlans, limits } from './limits.ts';
import { paidPlans } from './plans.ts';
import styles from './limits-table.module.css';

const tooltipDelays = { delayDuration: 700, skipDelayDuration: 300 } as const;

const featuredPlan = paidPlans.find((plan) => plan.badge)?.name;

export function LimitsTable() {
  return (
    <Tooltip.Provider {...tooltipDelays}>
      <table className={styles.table}>
        <caption className={styles.caption}>
          <h3 className={styles.heading}>What each plan includes</h3>
        </caption>
        <thead className={styles.head}>
          <tr className={styles.row}>
            <td className={styles.corner} />
            {limitedPlans.map((plan) => (
              <th key={plan} scope="col" className={styles.plan} data-featured={plan === featuredPlan}>
                {plan}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {limits.map((limit) => (
            <tr key={limit.label} className={styles.row}>
              <th scope="row" className={styles.label}>
                <LimitLabel limit={limit} />
              </th>
              {limitedPlans.map((plan) => (
                <td key={plan} className={styles.value} data-featured={plan === featuredPlan}>
                  <LimitValue value={limit.values[plan]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Tooltip.Provider>
  );
}
